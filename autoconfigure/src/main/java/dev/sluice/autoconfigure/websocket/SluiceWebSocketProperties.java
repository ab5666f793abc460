package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.websocket.OnThrottled;
import dev.sluice.websocket.stomp.StompThrottled;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Properties of WebSocket sessions.
 *
 * @param maxMessageSize Maximum size of a message from a client. If not set, the size of
 * the container or of STOMP applies, or 64KB.
 * @param handlingTimeLimit Maximum time for a stage that a method of a typed session
 * returns to complete, after which it is cancelled. If not set, there is no limit.
 * @param messageTimeLimit Maximum time to receive all parts of a message, after which its
 * session is closed.
 * @param typeProperty Name of the JSON property that contains the type of a message to a
 * typed session.
 * @param securityContext Whether to handle messages with the principal of their session
 * in the security context, if Spring Security is present.
 * @param onThrottled Action to take when a limit rejects a message.
 * @param allowedOrigins Origins, or patterns of origins, that are allowed to connect to
 * typed sessions. If not set, only the origin of the application is allowed.
 * @param shutdownTimeout Maximum time for sessions to end when the application stops.
 * Must be less than the timeout of a shutdown phase. If not set, three quarters of it.
 * @param idleTimeout Time without a message in either direction after which to close a
 * session. If not set, the idle timeout of the container applies.
 * @param maxSessions Maximum number of open sessions. A session counts until all messages
 * from its client are handled. If not set, there is no limit.
 * @param maxSessionsPerPrincipal Maximum number of open sessions of one principal, on all
 * nodes of a cluster. If not set, there is no limit.
 * @param maxSessionsPerAddress Maximum number of open sessions of one remote address. If
 * not set, there is no limit.
 * @param handshakeRate Maximum number of handshakes per second, and at once. If not set,
 * there is no limit.
 * @param handlers Handlers that the application registers itself.
 * @param heartbeat Pings to clients.
 * @param stomp Sessions of STOMP.
 * @param inbound Messages from clients.
 * @param outbound Messages to clients.
 */
@ConfigurationProperties("sluice.websocket")
public record SluiceWebSocketProperties(@Nullable DataSize maxMessageSize, @Nullable Duration handlingTimeLimit,
		@DefaultValue("30s") Duration messageTimeLimit, @DefaultValue("type") String typeProperty,
		@DefaultValue("true") boolean securityContext, @DefaultValue("frame") OnThrottled onThrottled,
		@DefaultValue List<String> allowedOrigins, @Nullable Duration shutdownTimeout, @Nullable Duration idleTimeout,
		@Nullable Integer maxSessions, @Nullable Integer maxSessionsPerPrincipal,
		@Nullable Integer maxSessionsPerAddress, @Nullable Integer handshakeRate, @DefaultValue Handlers handlers,
		@DefaultValue Heartbeat heartbeat, @DefaultValue Stomp stomp,
		@NestedConfigurationProperty @DefaultValue InboundProperties inbound,
		@NestedConfigurationProperty @DefaultValue OutboundProperties outbound) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.positive("maxMessageSize", this.maxMessageSize);
		rules.positive("handlingTimeLimit", this.handlingTimeLimit);
		rules.positive("messageTimeLimit", this.messageTimeLimit);
		rules.check("typeProperty", !this.typeProperty.isBlank(), "must not be empty");
		rules.check("allowedOrigins", this.allowedOrigins.stream().allMatch(SluiceWebSocketProperties::isOrigin),
				"must have a scheme and no path, in lower case and without the default port, as in "
						+ "https://example.org");
		rules.check("handlers.excludePaths",
				this.handlers.excludePaths().stream().allMatch(SluiceWebSocketProperties::isPath),
				"must be path patterns that begin with '/'");
		rules.positive("shutdownTimeout", this.shutdownTimeout);
		rules.positive("idleTimeout", this.idleTimeout);
		rules.positive("maxSessions", this.maxSessions);
		rules.positive("maxSessionsPerPrincipal", this.maxSessionsPerPrincipal);
		rules.positive("maxSessionsPerAddress", this.maxSessionsPerAddress);
		rules.positive("handshakeRate", this.handshakeRate);
		rules.notNegative("heartbeat.interval", this.heartbeat.interval());
		rules.positive("heartbeat.timeout", this.heartbeat.timeout());
		rules.positive("inbound.highWaterMark", this.inbound.highWaterMark());
		rules.notNegative("inbound.lowWaterMark", this.inbound.lowWaterMark());
		rules.positive("inbound.bufferSizeLimit", this.inbound.bufferSizeLimit());
		rules.positiveTotal("inbound.totalBufferSize", this.inbound.totalBufferSize());
		rules.positive("outbound.sendTimeLimit", this.outbound.sendTimeLimit());
		rules.positive("outbound.bufferSizeLimit", this.outbound.bufferSizeLimit());
		rules.positiveTotal("outbound.totalBufferSize", this.outbound.totalBufferSize());
	}

	/**
	 * Browsers send an origin as scheme, host and port, or "null": in lower case, with
	 * the scheme of the page, and with a port that is not the default of the scheme.
	 */
	private static boolean isOrigin(String origin) {
		return origin.matches("\\*\\S*|null|(?!wss?:)[a-z*][a-z0-9+.*-]*://[^/\\s\\p{Lu}]+/?")
				&& !origin.matches("https://[^/]*:443/?|http://[^/]*:80/?");
	}

	private static boolean isPath(String path) {
		try {
			PathPatternParser.defaultInstance.parse(path);
			return path.startsWith("/");
		}
		catch (PatternParseException ex) {
			return false;
		}
	}

	/**
	 * Handlers that the application registers itself.
	 *
	 * @param excludePaths Path patterns of handlers that are not wrapped.
	 */
	record Handlers(@DefaultValue Set<String> excludePaths) {
	}

	/**
	 * Pings to clients.
	 *
	 * @param interval Time without data from a client after which to send a ping. Zero
	 * disables pings.
	 * @param timeout Maximum time to wait for the answer to a ping.
	 */
	record Heartbeat(@DefaultValue("25s") Duration interval, @DefaultValue("10s") Duration timeout) {
	}

	/**
	 * Sessions of STOMP.
	 *
	 * @param throttled Action to take when a limit rejects a message and the application
	 * does not handle the exception.
	 * @param throttledDestination Destination of replies to users whose messages are
	 * rejected.
	 * @param levelHeader Name of the STOMP header with which clients request the level
	 * "high". If not set, clients cannot request a level.
	 */
	record Stomp(@DefaultValue("user-queue") StompThrottled throttled,
			@DefaultValue("/queue/errors") String throttledDestination, @Nullable String levelHeader) {
	}

}
