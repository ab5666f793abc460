package dev.sluice.autoconfigure.websocket;

import jakarta.servlet.ServletContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.eclipse.jetty.websocket.api.Configurable;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Logs the effective limits of sessions and their sources, once all beans that may set
 * them are created.
 */
record SessionLimitsReport(SluiceWebSocketProperties properties, ContainerLimits container,
		@Nullable ServletContext servletContext) {

	private static final Log logger = LogFactory.getLog(SessionLimitsReport.class);

	void log() {
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
	 * Jetty's native sessions, which have their own sizes. Spring prefers them to the
	 * sessions of Jakarta WebSocket if they are on the class path.
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
