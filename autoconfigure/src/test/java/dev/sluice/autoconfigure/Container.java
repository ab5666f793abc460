package dev.sluice.autoconfigure;

import org.apache.coyote.AbstractProtocol;
import org.eclipse.jetty.server.Connector;

import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;
import org.springframework.util.ClassUtils;

/** The container that the tests run on: the one on the class path. */
enum Container {

	TOMCAT {

		/** The container counts the connection that it waits for, too. */
		@Override
		long connections(WebServer server) {
			return ((AbstractProtocol<?>) ((TomcatWebServer) server).getTomcat().getConnector().getProtocolHandler())
				.getConnectionCount() - 1;
		}

	},

	JETTY {

		@Override
		long connections(WebServer server) {
			long connections = 0;
			for (Connector connector : ((JettyWebServer) server).getServer().getConnectors()) {
				connections += connector.getConnectedEndPoints().size();
			}
			return connections;
		}

	};

	/** Returns the one on the class path. */
	static Container current() {
		return ClassUtils.isPresent("org.springframework.boot.tomcat.TomcatWebServer", null) ? TOMCAT : JETTY;
	}

	/** Returns how many connections a server of this container has. */
	abstract long connections(WebServer server);

}
