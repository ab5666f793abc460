package dev.sluice.autoconfigure.websocket.container;

import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.IntSupplier;

import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.threads.ResizableExecutor;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Number of Tomcat's threads that may handle messages at the same time: half of its
 * threads. The other half serves requests, pings and closes and reports completed sends.
 * Zero until Tomcat has started.
 */
final class TomcatHandlingReaders implements IntSupplier, ApplicationListener<WebServerInitializedEvent> {

	private volatile int limit;

	@Override
	public int getAsInt() {
		return this.limit;
	}

	/** The server of the management endpoints, if separate, serves no sessions. */
	@Override
	public void onApplicationEvent(WebServerInitializedEvent event) {
		if (event.getApplicationContext().getServerNamespace() == null
				&& event.getWebServer() instanceof TomcatWebServer server) {
			this.limit = Arrays.stream(server.getTomcat().getService().findConnectors())
				.map(Connector::getProtocolHandler)
				.mapToInt((protocol) -> threads(protocol.getExecutor()))
				.min()
				.orElse(0) / 2;
		}
	}

	/** Zero for a pool with an unknown number of threads. */
	private static int threads(Executor pool) {
		if (pool instanceof VirtualThreadExecutor) {
			return Integer.MAX_VALUE;
		}
		if (pool instanceof ResizableExecutor resizable) {
			return resizable.getMaxThreads();
		}
		if (pool instanceof org.apache.tomcat.util.threads.ThreadPoolExecutor tomcat) {
			return tomcat.getMaximumPoolSize();
		}
		return (pool instanceof ThreadPoolExecutor known) ? known.getMaximumPoolSize() : 0;
	}

}
