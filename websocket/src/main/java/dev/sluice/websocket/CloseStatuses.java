package dev.sluice.websocket;

import java.nio.charset.StandardCharsets;
import java.util.Set;

import org.springframework.util.Assert;
import org.springframework.web.socket.CloseStatus;

/**
 * Close statuses with which the server ends sessions: each is chosen here, and nowhere
 * else. In addition, a session whose handler throws closes with 1011, and applications
 * close sessions with any status.
 *
 * @since 0.1.0
 */
public final class CloseStatuses {

	/** 1000: the application has closed the session after all waiting messages. */
	public static final CloseStatus DRAINED = CloseStatus.NORMAL;

	/** 1001: the application stops. */
	public static final CloseStatus STOPPING = CloseStatus.GOING_AWAY.withReason("Application is stopping");

	/** 1001: no message was sent in either direction during the idle time. */
	public static final CloseStatus IDLE = CloseStatus.GOING_AWAY.withReason("Idle");

	/** 1001: the application has aborted the session. */
	public static final CloseStatus ABORTED = CloseStatus.GOING_AWAY;

	/** 1008: an operator has closed the session with the actuator endpoint. */
	public static final CloseStatus BY_OPERATOR = CloseStatus.POLICY_VIOLATION.withReason("Closed by an operator");

	/** 1008: a SockJS client has chosen the id of another session. */
	public static final CloseStatus ID_IN_USE = CloseStatus.POLICY_VIOLATION.withReason("Session id is in use");

	/** 1008: a message in parts was not complete in time. */
	public static final CloseStatus INCOMPLETE = CloseStatus.POLICY_VIOLATION.withReason("Message is incomplete");

	/** 1008: a message has too many parts without any byte. */
	public static final CloseStatus EMPTY_PARTS = CloseStatus.POLICY_VIOLATION.withReason("Too many empty parts");

	/** 1008: a variable of the path makes the name of a topic too long. */
	public static final CloseStatus INVALID_TOPIC = CloseStatus.POLICY_VIOLATION.withReason("Topic name is too long");

	/** 1013: a topic that the session is to join is unavailable. */
	public static final CloseStatus TOPICS_UNAVAILABLE = CloseStatus.SERVICE_OVERLOAD
		.withReason("Topics are unavailable");

	/** 1013: the maximum number of sessions is reached. */
	public static final CloseStatus TOO_MANY_SESSIONS = CloseStatus.SERVICE_OVERLOAD.withReason("Too many sessions");

	/** 1013: the inbound queue or buffer has no room for a message. */
	public static final CloseStatus TOO_MANY_MESSAGES = CloseStatus.SERVICE_OVERLOAD
		.withReason("Too many messages are waiting");

	/** 1013: a limit has rejected a message, and {@link OnThrottled#CLOSE} is set. */
	public static final CloseStatus THROTTLED = CloseStatus.SERVICE_OVERLOAD.withReason("Throttled");

	/** 1008: a client that resumes has sent an unreadable frame. */
	public static final CloseStatus INVALID_RESUME = CloseStatus.POLICY_VIOLATION.withReason("Invalid resume");

	/** 1013: the cluster cannot be reached to resume the session. */
	public static final CloseStatus RESUME_UNAVAILABLE = CloseStatus.SERVICE_OVERLOAD
		.withReason("Sessions cannot be resumed now");

	/** 1013: the session was claimed again before this connection got it. */
	public static final CloseStatus RESUME_CONTENDED = CloseStatus.SERVICE_OVERLOAD
		.withReason("Session is claimed by another connection");

	/** 4408: a client requested to resume although its session was already open. */
	public static final CloseStatus RESUME_LATE = new CloseStatus(4408, "Session is open already");

	/** 4409: another connection has resumed the session. */
	public static final CloseStatus RESUMED_ELSEWHERE = new CloseStatus(4409, "Session was resumed elsewhere");

	/** 4500: a ping was not answered in time. */
	public static final CloseStatus UNANSWERED = CloseStatus.SESSION_NOT_RELIABLE.withReason("Ping was not answered");

	/** 4500: a message to the client was not sent in time. */
	public static final CloseStatus TOO_SLOW = CloseStatus.SESSION_NOT_RELIABLE.withReason("Sending took too long");

	/** 4500: more messages wait to be sent to the client than may wait. */
	public static final CloseStatus TOO_MUCH_UNSENT = CloseStatus.SESSION_NOT_RELIABLE
		.withReason("Too many messages are waiting to be sent");

	/** 4500: the container has failed to send a message. */
	public static final CloseStatus SEND_FAILED = CloseStatus.SESSION_NOT_RELIABLE;

	/** Maximum size of the reason in a close frame. */
	private static final int MAX_REASON_BYTES = 123;

	private static final Set<Integer> RESERVED = Set.of(1004, 1005, 1006, 1015);

	private CloseStatuses() {
	}

	/**
	 * Returns 1009: a message exceeds its maximum size.
	 * @param reason the limit that the message exceeds
	 * @return the status
	 */
	public static CloseStatus tooBig(String reason) {
		Assert.hasText(reason, "'reason' must not be empty");
		return CloseStatus.TOO_BIG_TO_PROCESS.withReason(reason);
	}

	/**
	 * Checks that an application may close a session with a status.
	 * @param status the status
	 * @return the status
	 * @throws IllegalArgumentException if it is {@code null}, its code is reserved and
	 * never sent (1004, 1005, 1006, 1015), or its reason has half of a surrogate pair
	 */
	public static CloseStatus requireAllowed(CloseStatus status) {
		Assert.notNull(status, "'status' must not be null");
		Assert.isTrue(!RESERVED.contains(status.getCode()), () -> "'status' has the code " + status.getCode()
				+ ", which is reserved and never sent; use 1000, another code of a close frame, or 4000 to 4999");
		String reason = status.getReason();
		Assert.isTrue(reason == null || encodable(reason).equals(reason),
				"'status' must not have half of a surrogate pair in its reason");
		return status;
	}

	/**
	 * Returns a status whose reason fits into a close frame.
	 * @param status the status, whose reason is cut if it is too long; a question mark
	 * replaces half of a surrogate pair
	 * @return the status to send
	 */
	public static CloseStatus sendable(CloseStatus status) {
		Assert.notNull(status, "'status' must not be null");
		String given = status.getReason();
		if (given == null) {
			return status;
		}
		String reason = encodable(given);
		int end = Math.min(reason.length(), MAX_REASON_BYTES);
		while (isWithinPair(reason, end)
				|| reason.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MAX_REASON_BYTES) {
			end--;
		}
		String cut = reason.substring(0, end);
		return cut.equals(given) ? status : new CloseStatus(status.getCode(), cut);
	}

	private static String encodable(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	private static boolean isWithinPair(String text, int index) {
		return index > 0 && index < text.length()
				&& Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
	}

}
