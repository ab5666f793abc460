package dev.sluice.websocket.message;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Limits of the readers of a message: clients, which have the defaults of Jackson, and
 * nodes. Messages are checked when they are sent, so that no reader finds one that it
 * cannot read.
 */
public final class JsonLimits {

	/** Maximum nesting depth of arrays and objects in a frame. */
	public static final int MAX_DEPTH = 500;

	/** Maximum number of characters of a number. */
	public static final int MAX_NUMBER_LENGTH = 1_000;

	/** Maximum number of characters of the name of a property. */
	public static final int MAX_NAME_LENGTH = 50_000;

	/** Maximum number of characters of a message between nodes. */
	public static final int MAX_LENGTH = 10_000_000;

	private JsonLimits() {
	}

	/**
	 * Checks that a text can be decoded by its readers.
	 * @return the text
	 * @throws IllegalArgumentException if it is too long, or has half of a surrogate pair
	 */
	public static String text(String text) {
		if (text.length() > MAX_LENGTH) {
			throw new IllegalArgumentException(
					"A message must have at most " + MAX_LENGTH + " characters: " + text.length());
		}
		EncodedSize.of(text);
		return text;
	}

	/**
	 * Checks a text that may be JSON. A short text cannot exceed the limits of JSON.
	 * @return the text
	 * @throws IllegalArgumentException if it exceeds a limit
	 */
	public static String message(String text) {
		text(text);
		if (text.length() > MAX_DEPTH && (text.startsWith("{") || text.startsWith("["))) {
			scan(text, (name, value) -> {
			});
		}
		return text;
	}

	/**
	 * Checks JSON.
	 * @param property called with the name of each property of an object itself, and with
	 * its value if that is a text
	 * @return the first token of the JSON, or {@code null} if the text is not one JSON
	 * value
	 * @throws IllegalArgumentException if it exceeds a limit
	 */
	public static @Nullable JsonToken scan(String json, BiConsumer<String, @Nullable String> property) {
		try (JsonParser parser = NodeJson.mapper().createParser(json)) {
			JsonToken first = parser.nextToken();
			int depth = (first == JsonToken.START_OBJECT) ? 0 : 1;
			int begin = depth;
			String name = null;
			for (JsonToken token = first; token != null; token = parser.nextToken()) {
				if (token.isStructEnd()) {
					depth--;
				}
				else if (token == JsonToken.PROPERTY_NAME) {
					name = check(parser.currentName());
				}
				else {
					if (depth == 1 && name != null && begin == 0) {
						property.accept(name, (token == JsonToken.VALUE_STRING) ? parser.getString() : null);
					}
					depth += check(parser, token, depth);
				}
				if (depth == begin && parser.nextToken() != null) {
					return null;
				}
			}
			return first;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static String check(String name) {
		if (name.length() > MAX_NAME_LENGTH) {
			throw new IllegalArgumentException("The name of a property in a message must have at most "
					+ MAX_NAME_LENGTH + " characters: " + name.length());
		}
		return name;
	}

	private static int check(JsonParser parser, JsonToken token, int depth) {
		if (token.isStructStart()) {
			if (depth == MAX_DEPTH) {
				throw new IllegalArgumentException(
						"A message must have at most " + MAX_DEPTH + " levels of arrays and objects as it is sent");
			}
			return 1;
		}
		if (token.isNumeric() && parser.getStringLength() > MAX_NUMBER_LENGTH) {
			throw new IllegalArgumentException("A number in a message must have at most " + MAX_NUMBER_LENGTH
					+ " characters: " + parser.getStringLength());
		}
		return 0;
	}

}
