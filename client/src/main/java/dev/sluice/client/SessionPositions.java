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

/** A session's token, and how far it was received and handled. */
final class SessionPositions {

	/*
	 * What is named to the server is what was received, as what was received and waits is
	 * handled in its turn, whatever becomes of the connection. What is stored is what was
	 * handled, with the direct messages that wait: the server keeps none of them once
	 * they are acknowledged, nor gives their numbers to others. What a greeting says is
	 * stored until the application was told, as the server says it once. Guarded by the
	 * lock of the client. Attacked by ClientHistoryTests.
	 */

	private final Map<String, String> received = new LinkedHashMap<>();

	private final Map<String, String> handled = new LinkedHashMap<>();

	private final Map<Long, JsonNode> waiting = new LinkedHashMap<>();

	private long number;

	private @Nullable String token;

	private Untold untold = Untold.SESSION;

	/** A new session, of which the application has not been told. */
	SessionPositions(@Nullable String token) {
		this.token = token;
	}

	@Nullable String token() {
		return this.token;
	}

	/** The number of the latest direct message that was received. */
	long number() {
		return this.number;
	}

	/** Direct messages that were received, and not handled, in order. */
	Iterable<JsonNode> waiting() {
		return this.waiting.values();
	}

	/** What the application has not been told yet. */
	Untold untold() {
		return this.untold;
	}

	/**
	 * The application was told of the greeting that brought a token. Of what it has not
	 * been told before the next greeting, that one tells it.
	 * @return whether there was something to tell
	 */
	boolean told(@Nullable String token) {
		if (this.untold == Untold.NOTHING || !Objects.equals(this.token, token)) {
			return false;
		}
		this.untold = Untold.NOTHING;
		return true;
	}

	/** The session goes on, in these topics, with all direct messages or not. */
	void resume(@Nullable String token, Set<String> topics, boolean direct) {
		this.token = token;
		if (!direct && this.untold == Untold.NOTHING) {
			this.untold = Untold.LOSS;
		}
		this.received.keySet().retainAll(topics);
		this.handled.keySet().retainAll(topics);
	}

	/** Takes a direct message, unless it has been received before. */
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

	/** What is named to the server. */
	void writeReceived(ObjectNode resume) {
		resume.put("token", this.token);
		this.received.forEach(resume.putObject("at")::put);
		resume.put("seq", this.number);
	}

	/** What is stored. */
	String toJson() {
		ObjectNode json = JsonMapper.shared().createObjectNode();
		json.put("token", this.token);
		if (this.untold != Untold.NOTHING) {
			json.put("untold", this.untold.name());
		}
		this.handled.forEach(json.putObject("at")::put);
		json.put("seq", this.number);
		this.waiting.values().forEach(json.putArray("waiting")::add);
		return json.toString();
	}

	/** Reads what was stored; {@code null} if it cannot be read. */
	static @Nullable SessionPositions fromJson(String stored) {
		try {
			JsonNode json = JsonMapper.shared().readTree(stored);
			SessionPositions session = new SessionPositions(json.required("token").stringValue());
			session.untold = Untold.valueOf(json.path("untold").asString(Untold.NOTHING.name()));
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

	/** Content of a greeting that the application has yet to learn. */
	enum Untold {

		NOTHING,

		/** Direct messages are lost. */
		LOSS,

		/** The session is new, whatever is lost of it. */
		SESSION

	}

}
