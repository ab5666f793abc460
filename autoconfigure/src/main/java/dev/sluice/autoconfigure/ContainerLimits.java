package dev.sluice.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/**
 * Limits that applications set at the container as well: a property of ours comes before
 * that, and that before our defaults. What holds is logged, with where it comes from.
 *
 * @param text the largest text message
 * @param binary the largest binary message
 * @param idle the time after which a session is idle, or {@code null} for no limit
 */
record ContainerLimits(DataSize text, DataSize binary, @Nullable Duration idle) {

	private static final Log logger = LogFactory.getLog(ContainerLimits.class);

	private static final DataSize DEFAULT_SIZE = DataSize.ofKilobytes(64);

	static ContainerLimits of(SluiceWebSocketProperties properties,
			ObjectProvider<ServletServerContainerFactoryBean> containers) {
		Choice<DataSize> text = choose("sluice.websocket.max-message-size", properties.getMaxMessageSize(),
				set(containers, ServletServerContainerFactoryBean::getMaxTextMessageBufferSize).map(DataSize::ofBytes),
				DEFAULT_SIZE);
		Choice<DataSize> binary = choose("sluice.websocket.max-message-size", properties.getMaxMessageSize(),
				set(containers, ServletServerContainerFactoryBean::getMaxBinaryMessageBufferSize)
					.map(DataSize::ofBytes),
				DEFAULT_SIZE);
		Choice<Duration> idle = choose("sluice.websocket.idle-timeout", properties.getIdleTimeout(),
				set(containers, ServletServerContainerFactoryBean::getMaxSessionIdleTimeout)
					.filter((millis) -> millis > 0)
					.map(Duration::ofMillis),
				null);
		logger.info("Limits of WebSocket sessions: text messages " + text + ", binary messages " + binary
				+ ", time without a message " + idle + ", waiting to be sent "
				+ properties.getOutbound().getBufferSizeLimit() + " and "
				+ properties.getOutbound().getSendTimeLimit());
		return new ContainerLimits(Objects.requireNonNull(text.value()), Objects.requireNonNull(binary.value()),
				idle.value());
	}

	private static <T> Stream<T> set(ObjectProvider<ServletServerContainerFactoryBean> containers,
			Function<ServletServerContainerFactoryBean, @Nullable T> limit) {
		return containers.orderedStream().flatMap((container) -> Stream.ofNullable(limit.apply(container)));
	}

	private static <T> Choice<T> choose(String property, @Nullable T ofProperty, Stream<T> ofContainer,
			@Nullable T ofOurs) {
		if (ofProperty != null) {
			return new Choice<>(ofProperty, property);
		}
		return ofContainer.findFirst()
			.map((value) -> new Choice<>(value, "ServletServerContainerFactoryBean"))
			.orElseGet(() -> new Choice<>(ofOurs, "default"));
	}

	private record Choice<T>(@Nullable T value, String source) {

		@Override
		public String toString() {
			return ((this.value != null) ? this.value : "unlimited") + " (" + this.source + ')';
		}

	}

}
