package dev.sluice.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Token of a session, and the positions received and handled. */
final class SessionPositions {

	/*
	 * The server receives the positions of received messages, because a received message
	 * is handled in its turn even if the connection is lost. The store receives the
	 * positions of handled messages, together with the waiting direct messages: the
	 * server discards a direct message once it is acknowledged and does not reuse its
	 * number. The content of a greeting is stored until the application has been
	 * notified, because the server sends it once. Guarded by the lock of the client.
	 * Attacked by ClientHistoryTests.
	 */

	private final Map<String, String> received = new LinkedHashMap<>();

	private final Map<String, String> handled = new LinkedHashMap<>();

	private final Map<Long, JsonNode> waiting = new LinkedHashMap<>();

	private long number;

	private @Nullable String token;

	private PendingNews pendingNews = PendingNews.SESSION;

	/** A new session for which the application has not been notified. */
	SessionPositions(@Nullable String token) {
		this.token = token;
	}

	@Nullable String token() {
		return this.token;
	}

	/** Number of the latest received direct message. */
	long number() {
		return this.number;
	}

	/** Received and unhandled direct messages, in order. */
	Iterable<JsonNode> waiting() {
		return this.waiting.values();
	}

	/** News for which the application has not been notified. */
	PendingNews pendingNews() {
		return this.pendingNews;
	}

	/**
	 * Marks the application as notified of the greeting that contained a token. News that
	 * is still pending at the next greeting is reported with that greeting.
	 * @return whether news was pending
	 */
	boolean notified(@Nullable String token) {
		if (this.pendingNews == PendingNews.NOTHING || !Objects.equals(this.token, token)) {
			return false;
		}
		this.pendingNews = PendingNews.NOTHING;
		return true;
	}

	/** Continues the session in these topics, with or without all direct messages. */
	void resume(@Nullable String token, Set<String> topics, boolean direct) {
		this.token = token;
		if (!direct && this.pendingNews == PendingNews.NOTHING) {
			this.pendingNews = PendingNews.LOSS;
		}
		this.received.keySet().retainAll(topics);
		this.handled.keySet().retainAll(topics);
	}

	/** Accepts a direct message, unless it has been received before. */
	boolean receive(long number, JsonNode message) {
		if (number <= this.number) {
			return false;
		}
		this.number = number;
		this.waiting.put(number, message);
		return true;
	}

	void receive(String topic, @Nullable String position) {
		move(this.received, topic, position);
	}

	void handle(long number) {
		this.waiting.remove(number);
	}

	void handle(String topic, @Nullable String position) {
		move(this.handled, topic, position);
	}

	private static void move(Map<String, String> positions, String topic, @Nullable String position) {
		if (position == null) {
			positions.remove(topic);
		}
		else {
			positions.put(topic, position);
		}
	}

	/** Returns the positions for the server. */
	void writeReceived(ObjectNode resume) {
		resume.put("token", this.token);
		this.received.forEach(resume.putObject("at")::put);
		resume.put("seq", this.number);
	}

	/** Returns the content for the store. */
	String toJson() {
		ObjectNode json = JsonMapper.shared().createObjectNode();
		json.put("token", this.token);
		if (this.pendingNews != PendingNews.NOTHING) {
			json.put("pendingNews", this.pendingNews.name());
		}
		this.handled.forEach(json.putObject("at")::put);
		json.put("seq", this.number);
		this.waiting.values().forEach(json.putArray("waiting")::add);
		return json.toString();
	}

	/** Reads stored content; {@code null} if it is not readable. */
	static @Nullable SessionPositions fromJson(String stored) {
		try {
			JsonNode json = JsonMapper.shared().readTree(stored);
			SessionPositions session = new SessionPositions(json.required("token").stringValue());
			session.pendingNews = PendingNews.valueOf(json.path("pendingNews").asString(PendingNews.NOTHING.name()));
			json.required("at").properties().forEach((at) -> {
				session.received.put(at.getKey(), at.getValue().stringValue());
				session.handled.put(at.getKey(), at.getValue().stringValue());
			});
			json.required("waiting")
				.forEach((message) -> session.waiting.put(message.required("seq").longValue(), message));
			session.number = json.required("seq").longValue();
			return session;
		}
		catch (JacksonException | IllegalArgumentException ex) {
			return null;
		}
	}

	/** Content of a greeting for which the application has not been notified. */
	enum PendingNews {

		NOTHING,

		/** Direct messages are lost. */
		LOSS,

		/** The session is new, which includes any loss. */
		SESSION

	}

}
