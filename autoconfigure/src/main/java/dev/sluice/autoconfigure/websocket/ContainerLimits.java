package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import jakarta.servlet.ServletContext;
import jakarta.websocket.WebSocketContainer;
import jakarta.websocket.server.ServerContainer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/**
 * Limits that an application may have set at the container of Jakarta WebSocket, with a
 * bean of Spring, a parameter of the servlet context or by itself.
 */
final class ContainerLimits {

	static final DataSize DEFAULT_SIZE = DataSize.ofKilobytes(64);

	/** Tomcat's default, which is less than most clients send. */
	private static final int TOMCAT_SIZE = Integer.getInteger("org.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE",
			8 * 1024);

	private static final String TOMCAT = "org.apache.tomcat.";

	private static final String FACTORY_BEAN = "ServletServerContainerFactoryBean";

	private final ObjectProvider<ServletServerContainerFactoryBean> factoryBeans;

	private final @Nullable ServletContext servletContext;

	private final @Nullable ServerContainer container;

	ContainerLimits(ObjectProvider<ServletServerContainerFactoryBean> factoryBeans,
			@Nullable ServletContext servletContext) {
		this.factoryBeans = factoryBeans;
		this.servletContext = servletContext;
		this.container = (servletContext != null)
				? (ServerContainer) servletContext.getAttribute(ServerContainer.class.getName()) : null;
	}

	/** Returns the size of the largest text message. */
	SourcedLimit<DataSize> text() {
		return size(ServletServerContainerFactoryBean::getMaxTextMessageBufferSize,
				"org.apache.tomcat.websocket.textBufferSize", WebSocketContainer::getDefaultMaxTextMessageBufferSize);
	}

	/** Returns the size of the largest binary message. */
	SourcedLimit<DataSize> binary() {
		return size(ServletServerContainerFactoryBean::getMaxBinaryMessageBufferSize,
				"org.apache.tomcat.websocket.binaryBufferSize",
				WebSocketContainer::getDefaultMaxBinaryMessageBufferSize);
	}

	/** Returns the time after which a session is idle. */
	SourcedLimit<Duration> idle() {
		return ofFactoryBeans(ServletServerContainerFactoryBean::getMaxSessionIdleTimeout)
			.filter((millis) -> millis > 0)
			.map((millis) -> new SourcedLimit<>(Duration.ofMillis(millis), FACTORY_BEAN))
			.orElseGet(() -> SourcedLimit.ofDefault(null));
	}

	/**
	 * Whether each session reports its own sizes. Tomcat's sessions report the sizes of
	 * the container, whose defaults are too small.
	 */
	boolean isToldBySessions() {
		return this.container != null && !isTomcat();
	}

	private SourcedLimit<DataSize> size(Function<ServletServerContainerFactoryBean, @Nullable Integer> ofFactoryBean,
			String parameter, ToIntFunction<ServerContainer> ofContainer) {
		boolean byBean = ofFactoryBeans(ofFactoryBean).isPresent();
		if (this.container == null || this.servletContext == null) {
			return SourcedLimit.ofDefault(DEFAULT_SIZE);
		}
		int bytes = ofContainer.applyAsInt(this.container);
		DataSize size = (bytes > 0) ? DataSize.ofBytes(bytes) : null;
		if (byBean) {
			return new SourcedLimit<>(size, FACTORY_BEAN);
		}
		if (isTomcat() && this.servletContext.getInitParameter(parameter) != null) {
			return new SourcedLimit<>(size, parameter);
		}
		return (bytes == (isTomcat() ? TOMCAT_SIZE : DEFAULT_SIZE.toBytes())) ? SourcedLimit.ofDefault(DEFAULT_SIZE)
				: new SourcedLimit<>(size, "ServerContainer");
	}

	private boolean isTomcat() {
		return this.container != null && this.container.getClass().getName().startsWith(TOMCAT);
	}

	/**
	 * Reads the values from the beans, which have applied them by the time they are
	 * requested.
	 */
	private <T> Optional<T> ofFactoryBeans(Function<ServletServerContainerFactoryBean, @Nullable T> limit) {
		return this.factoryBeans.orderedStream()
			.flatMap((container) -> Optional.ofNullable(limit.apply(container)).stream())
			.findFirst();
	}

}
