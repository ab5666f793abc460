package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.Objects;

import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.LivenessLimits;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import dev.sluice.websocket.settings.TotalLimits;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Mapping of the properties to the settings of all sessions: a property that is not set
 * leaves the choice to the container, or to a default.
 */
final class WebSocketSettingsMapper {

	private final SluiceWebSocketProperties properties;

	private final WaterMarks marks;

	private final ContainerLimits container;

	WebSocketSettingsMapper(SluiceWebSocketProperties properties, SluiceExecutionProperties execution,
			ContainerLimits container) {
		this.properties = properties;
		this.marks = WaterMarks.of(properties.inbound(), execution);
		this.container = container;
	}

	WebSocketSettings settings() {
		return new WebSocketSettings(session(), liveness(), quota(), totals(), this.properties.onThrottled(),
				this.properties.typeProperty());
	}

	/**
	 * Returns the time that sessions have when the application stops, which is shorter
	 * than its phase.
	 */
	static Duration shutdownTimeout(SluiceWebSocketProperties properties, Duration phase) {
		Duration timeout = properties.shutdownTimeout();
		if (timeout == null) {
			return phase.multipliedBy(3).dividedBy(4);
		}
		if (timeout.compareTo(phase) >= 0) {
			throw new InvalidConfigurationException(
					"Property 'sluice.websocket.shutdown-timeout' must be less than "
							+ "'spring.lifecycle.timeout-per-shutdown-phase', which is " + phase + ": " + timeout,
					"Remove 'sluice.websocket.shutdown-timeout' to have three quarters of the phase, or set a shorter "
							+ "time, or raise 'spring.lifecycle.timeout-per-shutdown-phase'.");
		}
		return timeout;
	}

	private SessionLimits session() {
		DataSize size = this.properties.maxMessageSize();
		return new SessionLimits(bytesOr(size, this.container.text()), bytesOr(size, this.container.binary()),
				size == null && this.container.isToldBySessions(), inbound(), outbound(),
				this.properties.outbound().overflow());
	}

	private InboundLimits inbound() {
		InboundProperties inbound = this.properties.inbound();
		return new InboundLimits(this.marks.high(), this.marks.low(), bytes(inbound.bufferSizeLimit()),
				inbound.fallback() == InboundProperties.Fallback.BLOCK);
	}

	private SendLimits outbound() {
		OutboundProperties outbound = this.properties.outbound();
		return new SendLimits(valueOr(outbound.sendTimeLimit(), OutboundLimits.DEFAULT_TIME),
				bytes(valueOr(outbound.bufferSizeLimit(), OutboundLimits.DEFAULT_SIZE)));
	}

	private LivenessLimits liveness() {
		Duration idle = this.properties.idleTimeout();
		SluiceWebSocketProperties.Heartbeat heartbeat = this.properties.heartbeat();
		return new LivenessLimits(this.properties.handlingTimeLimit(), this.properties.messageTimeLimit(),
				heartbeat.interval(), heartbeat.timeout(), (idle != null) ? idle : this.container.idle().value());
	}

	private QuotaLimits quota() {
		return new QuotaLimits(orUnlimited(this.properties.maxSessions()),
				orUnlimited(this.properties.maxSessionsPerPrincipal()),
				orUnlimited(this.properties.maxSessionsPerAddress()), orUnlimited(this.properties.handshakeRate()));
	}

	private TotalLimits totals() {
		return new TotalLimits(bytesOrQuarterOfHeap(this.properties.inbound().totalBufferSize()),
				bytesOrQuarterOfHeap(this.properties.outbound().totalBufferSize()));
	}

	private static int orUnlimited(@Nullable Integer limit) {
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	private static long bytesOrQuarterOfHeap(@Nullable DataSize size) {
		return (size != null) ? size.toBytes() : Runtime.getRuntime().maxMemory() / 4;
	}

	private static <T> T valueOr(@Nullable T value, SourcedLimit<T> otherwise) {
		return (value != null) ? value : Objects.requireNonNull(otherwise.value());
	}

	private static int bytesOr(@Nullable DataSize size, SourcedLimit<DataSize> otherwise) {
		DataSize chosen = (size != null) ? size : otherwise.value();
		return (chosen != null) ? bytes(chosen) : Integer.MAX_VALUE;
	}

	private static int bytes(DataSize size) {
		return Math.toIntExact(size.toBytes());
	}

}
