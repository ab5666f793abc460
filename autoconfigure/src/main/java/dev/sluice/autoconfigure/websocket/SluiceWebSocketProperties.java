package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.websocket.OnThrottled;
import dev.sluice.websocket.stomp.StompThrottled;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

/** Properties of WebSocket sessions. */
@ConfigurationProperties("sluice.websocket")
public class SluiceWebSocketProperties implements CheckedProperties {

	/**
	 * Maximum size of a message from a client. If not set, that of the container or of
	 * STOMP, or 64KB.
	 */
	private @Nullable DataSize maxMessageSize;

	/**
	 * Maximum time for a stage that a method of a typed session returns to complete,
	 * after which it is cancelled. If not set, there is no limit.
	 */
	private @Nullable Duration handlingTimeLimit;

	/**
	 * Maximum time to receive all parts of a message, after which its session is closed.
	 */
	private Duration messageTimeLimit = Duration.ofSeconds(30);

	/**
	 * Name of the JSON property that contains the type of a message to a typed session.
	 */
	private String typeProperty = "type";

	/**
	 * Whether to handle messages with the principal of their session in the security
	 * context, if Spring Security is present.
	 */
	private boolean securityContext = true;

	/**
	 * Action to take when a limit rejects a message.
	 */
	private OnThrottled onThrottled = OnThrottled.FRAME;

	/**
	 * Origins, or patterns of origins, that are allowed to connect to typed sessions. If
	 * not set, only that of the application.
	 */
	private List<String> allowedOrigins = new ArrayList<>();

	/**
	 * Maximum time for sessions to end when the application stops. Must be less than the
	 * timeout of a shutdown phase. If not set, three quarters of it.
	 */
	private @Nullable Duration shutdownTimeout;

	/**
	 * Time without a message in either direction after which to close a session. If not
	 * set, the idle timeout of the container applies.
	 */
	private @Nullable Duration idleTimeout;

	/**
	 * Maximum number of open sessions. A session counts until all messages from its
	 * client are handled. If not set, there is no limit.
	 */
	private @Nullable Integer maxSessions;

	/**
	 * Maximum number of open sessions of one principal. If not set, there is no limit.
	 */
	private @Nullable Integer maxSessionsPerPrincipal;

	/**
	 * Maximum number of open sessions of one remote address. If not set, there is no
	 * limit.
	 */
	private @Nullable Integer maxSessionsPerAddress;

	public @Nullable DataSize getMaxMessageSize() {
		return this.maxMessageSize;
	}

	public void setMaxMessageSize(@Nullable DataSize maxMessageSize) {
		this.maxMessageSize = maxMessageSize;
	}

	public @Nullable Duration getHandlingTimeLimit() {
		return this.handlingTimeLimit;
	}

	public void setHandlingTimeLimit(@Nullable Duration handlingTimeLimit) {
		this.handlingTimeLimit = handlingTimeLimit;
	}

	public Duration getMessageTimeLimit() {
		return this.messageTimeLimit;
	}

	public void setMessageTimeLimit(Duration messageTimeLimit) {
		this.messageTimeLimit = messageTimeLimit;
	}

	public String getTypeProperty() {
		return this.typeProperty;
	}

	public void setTypeProperty(String typeProperty) {
		this.typeProperty = typeProperty;
	}

	public boolean isSecurityContext() {
		return this.securityContext;
	}

	public void setSecurityContext(boolean securityContext) {
		this.securityContext = securityContext;
	}

	public OnThrottled getOnThrottled() {
		return this.onThrottled;
	}

	public void setOnThrottled(OnThrottled onThrottled) {
		this.onThrottled = onThrottled;
	}

	public List<String> getAllowedOrigins() {
		return this.allowedOrigins;
	}

	public void setAllowedOrigins(List<String> allowedOrigins) {
		this.allowedOrigins = allowedOrigins;
	}

	public @Nullable Duration getShutdownTimeout() {
		return this.shutdownTimeout;
	}

	public void setShutdownTimeout(@Nullable Duration shutdownTimeout) {
		this.shutdownTimeout = shutdownTimeout;
	}

	public @Nullable Duration getIdleTimeout() {
		return this.idleTimeout;
	}

	public void setIdleTimeout(@Nullable Duration idleTimeout) {
		this.idleTimeout = idleTimeout;
	}

	public @Nullable Integer getMaxSessions() {
		return this.maxSessions;
	}

	public void setMaxSessions(@Nullable Integer maxSessions) {
		this.maxSessions = maxSessions;
	}

	public @Nullable Integer getMaxSessionsPerPrincipal() {
		return this.maxSessionsPerPrincipal;
	}

	public void setMaxSessionsPerPrincipal(@Nullable Integer maxSessionsPerPrincipal) {
		this.maxSessionsPerPrincipal = maxSessionsPerPrincipal;
	}

	public @Nullable Integer getMaxSessionsPerAddress() {
		return this.maxSessionsPerAddress;
	}

	public void setMaxSessionsPerAddress(@Nullable Integer maxSessionsPerAddress) {
		this.maxSessionsPerAddress = maxSessionsPerAddress;
	}

	private final Handlers handlers = new Handlers();

	private final Heartbeat heartbeat = new Heartbeat();

	private final Stomp stomp = new Stomp();

	@NestedConfigurationProperty
	private final InboundProperties inbound = new InboundProperties();

	@NestedConfigurationProperty
	private final OutboundProperties outbound = new OutboundProperties();

	public Handlers getHandlers() {
		return this.handlers;
	}

	public Heartbeat getHeartbeat() {
		return this.heartbeat;
	}

	public Stomp getStomp() {
		return this.stomp;
	}

	public InboundProperties getInbound() {
		return this.inbound;
	}

	public OutboundProperties getOutbound() {
		return this.outbound;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("maxMessageSize", this.maxMessageSize);
		rules.positive("messageTimeLimit", this.messageTimeLimit);
		rules.check("typeProperty", !this.typeProperty.isBlank(), "must not be empty");
		rules.positive("shutdownTimeout", this.shutdownTimeout);
		rules.positive("idleTimeout", this.idleTimeout);
		rules.positive("maxSessions", this.maxSessions);
		rules.positive("maxSessionsPerPrincipal", this.maxSessionsPerPrincipal);
		rules.positive("maxSessionsPerAddress", this.maxSessionsPerAddress);
		rules.notNegative("heartbeat.interval", this.heartbeat.getInterval());
		rules.positive("heartbeat.timeout", this.heartbeat.getTimeout());
		rules.positive("inbound.highWaterMark", this.inbound.getHighWaterMark());
		rules.notNegative("inbound.lowWaterMark", this.inbound.getLowWaterMark());
		rules.positive("inbound.bufferSizeLimit", this.inbound.getBufferSizeLimit());
		rules.positiveTotal("inbound.totalBufferSize", this.inbound.getTotalBufferSize());
		rules.positive("outbound.sendTimeLimit", this.outbound.getSendTimeLimit());
		rules.positive("outbound.bufferSizeLimit", this.outbound.getBufferSizeLimit());
		rules.positiveTotal("outbound.totalBufferSize", this.outbound.getTotalBufferSize());
	}

	/** Handlers that the application registers itself. */
	static class Handlers {

		/**
		 * Path patterns of handlers to leave alone.
		 */
		private Set<String> excludePaths = new LinkedHashSet<>();

		public Set<String> getExcludePaths() {
			return this.excludePaths;
		}

		public void setExcludePaths(Set<String> excludePaths) {
			this.excludePaths = excludePaths;
		}

	}

	/** Pings to clients. */
	static class Heartbeat {

		/**
		 * Time without data from a client after which to send a ping. Zero disables
		 * pings.
		 */
		private Duration interval = Duration.ofSeconds(25);

		/**
		 * Maximum time to wait for the answer to a ping.
		 */
		private Duration timeout = Duration.ofSeconds(10);

		public Duration getInterval() {
			return this.interval;
		}

		public void setInterval(Duration interval) {
			this.interval = interval;
		}

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

	}

	/** Sessions of STOMP. */
	static class Stomp {

		/**
		 * Action to take when a limit rejects a message and the application does not
		 * handle the exception.
		 */
		private StompThrottled throttled = StompThrottled.USER_QUEUE;

		/**
		 * Destination of replies to users whose messages are rejected.
		 */
		private String throttledDestination = "/queue/errors";

		/**
		 * Name of the STOMP header with which clients request the level "high". If not
		 * set, clients cannot request a level.
		 */
		private @Nullable String levelHeader;

		public StompThrottled getThrottled() {
			return this.throttled;
		}

		public void setThrottled(StompThrottled throttled) {
			this.throttled = throttled;
		}

		public String getThrottledDestination() {
			return this.throttledDestination;
		}

		public void setThrottledDestination(String throttledDestination) {
			this.throttledDestination = throttledDestination;
		}

		public @Nullable String getLevelHeader() {
			return this.levelHeader;
		}

		public void setLevelHeader(@Nullable String levelHeader) {
			this.levelHeader = levelHeader;
		}

	}

}
