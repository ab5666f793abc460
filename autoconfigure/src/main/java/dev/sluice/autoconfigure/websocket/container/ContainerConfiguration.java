package dev.sluice.autoconfigure.websocket.container;

import dev.sluice.websocket.container.TomcatUpgradeHandler;
import jakarta.servlet.ServletContext;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import org.apache.tomcat.websocket.WsWebSocketContainer;
import org.eclipse.jetty.ee11.websocket.jakarta.common.JakartaWebSocketSession;
import org.eclipse.jetty.ee11.websocket.jakarta.server.JakartaWebSocketServerContainer;
import org.eclipse.jetty.ee11.websocket.server.JettyWebSocketServerContainer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Closes sessions that Sluice does not manage while the container's connectors still run,
 * and makes threads of the web server handle the messages that they have read.
 */
public final class ContainerConfiguration {

	/** Name of the bean with the number of the web server's threads that may do so. */
	public static final String HANDLING_READERS = "sluiceHandlingReaders";

	private ContainerConfiguration() {
	}

	/**
	 * The sessions and the threads of Tomcat, which an application may not start itself.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WsWebSocketContainer.class)
	@RegisterReflection(classes = TomcatUpgradeHandler.class,
			memberCategories = MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
	public static class Tomcat {

		@Bean(name = HANDLING_READERS, defaultCandidate = false)
		@ConditionalOnClass(name = { "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory",
				"org.apache.coyote.http11.Http11NioProtocol" })
		@ConditionalOnMissingBean(name = HANDLING_READERS)
		TomcatHandlingReaders sluiceHandlingReaders() {
			return new TomcatHandlingReaders();
		}

		@Bean
		ContainerSessionsLifecycle sluiceTomcatSessionsLifecycle() {
			return new ContainerSessionsLifecycle(Tomcat::closeAll);
		}

		private static void closeAll(ServletContext servletContext) {
			if (servletContext
				.getAttribute(ServerContainer.class.getName()) instanceof WsWebSocketContainer container) {
				container.destroy();
			}
		}

	}

	/**
	 * Jetty has one container for the sessions of {@code @ServerEndpoint} and another one
	 * for the sessions of Spring. Neither waits for a client.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ JakartaWebSocketServerContainer.class, JettyWebSocketServerContainer.class })
	public static class Jetty {

		private static final String REASON = "Application is stopping";

		@Bean
		ContainerSessionsLifecycle sluiceJettySessionsLifecycle() {
			return new ContainerSessionsLifecycle(Jetty::closeAll);
		}

		private static void closeAll(ServletContext servletContext) {
			closeAll(JakartaWebSocketServerContainer.getContainer(servletContext));
			closeAll(JettyWebSocketServerContainer.getContainer(servletContext));
		}

		private static void closeAll(@Nullable JakartaWebSocketServerContainer container) {
			if (container != null) {
				container.getOpenSessions().forEach(Jetty::close);
			}
		}

		/** {@link Session#close} would report the stop as an error of the endpoint. */
		private static void close(Session session) {
			if (session instanceof JakartaWebSocketSession jetty) {
				jetty.getCoreSession().close(StatusCode.SHUTDOWN, REASON, org.eclipse.jetty.util.Callback.NOOP);
			}
		}

		private static void closeAll(@Nullable JettyWebSocketServerContainer container) {
			if (container != null) {
				container.getOpenSessions()
					.forEach((session) -> session.close(StatusCode.SHUTDOWN, REASON, Callback.NOOP));
			}
		}

	}

}
