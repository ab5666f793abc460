package dev.sluice.autoconfigure.websocket;

import jakarta.servlet.ServletContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.eclipse.jetty.websocket.api.Configurable;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Logs which limits hold for sessions, and what has set them, once all that may set them
 * is there.
 */
record SessionLimitsReport(SluiceWebSocketProperties properties, ContainerLimits container,
		@Nullable ServletContext servletContext) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(SessionLimitsReport.class);

	@Override
	public void afterSingletonsInstantiated() {
		logger.info("Limits of WebSocket sessions: text messages " + size(this.container.text()) + ", binary messages "
				+ size(this.container.binary()) + ", time without a message "
				+ SourcedLimit.choose("sluice.websocket.idle-timeout", this.properties.idleTimeout(),
						this.container.idle())
				+ ", " + OutboundLimits.describe(this.properties.outbound(), OutboundLimits.DEFAULT_SIZE,
						OutboundLimits.DEFAULT_TIME));
		if (this.properties.maxMessageSize() == null && Jetty.PRESENT && this.servletContext != null) {
			Jetty.log(this.servletContext, this.container);
		}
	}

	private SourcedLimit<DataSize> size(SourcedLimit<DataSize> ofContainer) {
		return SourcedLimit.choose("sluice.websocket.max-message-size", this.properties.maxMessageSize(), ofContainer);
	}

	/**
	 * The sessions of Jetty's own, which have sizes of their own, and which Spring
	 * prefers to those of Jakarta WebSocket where they are there.
	 */
	private static final class Jetty {

		static final boolean PRESENT = ClassUtils.isPresent("org.eclipse.jetty.websocket.api.Configurable",
				SessionLimitsReport.class.getClassLoader());

		private static final String CONTAINER = "org.eclipse.jetty.websocket.api.WebSocketContainer";

		private Jetty() {
		}

		static void log(ServletContext servletContext, ContainerLimits otherwise) {
			if (servletContext.getAttribute(CONTAINER) instanceof Configurable container
					&& (isSet(container.getMaxTextMessageSize()) || isSet(container.getMaxBinaryMessageSize()))) {
				logger.info("Limits of sessions by JettyRequestUpgradeStrategy: text messages "
						+ size(container.getMaxTextMessageSize(), otherwise.text()) + ", binary messages "
						+ size(container.getMaxBinaryMessageSize(), otherwise.binary()));
			}
		}

		private static boolean isSet(long bytes) {
			return bytes != ContainerLimits.DEFAULT_SIZE.toBytes();
		}

		private static SourcedLimit<DataSize> size(long bytes, SourcedLimit<DataSize> otherwise) {
			return isSet(bytes) ? new SourcedLimit<>((bytes > 0) ? DataSize.ofBytes(bytes) : null, "Configurable")
					: otherwise;
		}

	}

}
