package dev.sluice.cluster.internal.trace;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.websocket.message.NodeJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Headers before a published text: a mark, their length, and a JSON object. A text
 * without headers is unchanged, unless it begins with the mark.
 */
public final class PropagatedHeaders {

	private static final char MARK = '@';

	private static final int MAX_HEADERS = 8;

	private static final int MAX_LENGTH = 1024;

	private PropagatedHeaders() {
	}

	/** Returns the headers, up to the maximum that other nodes accept. */
	public static Map<String, String> bounded(Map<String, String> headers) {
		if (headers.isEmpty()) {
			return Map.of();
		}
		Map<String, String> bounded = new LinkedHashMap<>();
		int length = 0;
		for (Map.Entry<String, String> header : headers.entrySet()) {
			int more = header.getKey().length() + header.getValue().length();
			if (bounded.size() < MAX_HEADERS && length + more <= MAX_LENGTH) {
				bounded.put(header.getKey(), header.getValue());
				length += more;
			}
		}
		return bounded;
	}

	/** Writes headers, bounded, and a text. */
	public static String write(Map<String, String> headers, String text) {
		if (headers.isEmpty() && !isMarked(text, 0)) {
			return text;
		}
		ObjectNode node = NodeJson.mapper().createObjectNode();
		bounded(headers).forEach(node::put);
		String written = NodeJson.write(node);
		return MARK + Integer.toString(written.length()) + MARK + written + text;
	}

	/** Returns the headers before a text that begins at an index. */
	public static Map<String, String> of(String written, int start) {
		return isMarked(written, start)
				? read(NodeJson.mapper().readTree(written.substring(begin(written, start), end(written, start))))
				: Map.of();
	}

	/** Reads the headers of an object. */
	public static Map<String, String> read(JsonNode object) {
		if (object.isEmpty()) {
			return Map.of();
		}
		Map<String, String> headers = new LinkedHashMap<>();
		object.properties().forEach((one) -> headers.put(one.getKey(), one.getValue().asString()));
		return headers;
	}

	/** Returns the written text without headers, starting at an index. */
	public static String text(String written, int start) {
		return written.substring(isMarked(written, start) ? end(written, start) : start);
	}

	private static boolean isMarked(String text, int start) {
		return text.length() > start && text.charAt(start) == MARK;
	}

	private static int begin(String written, int start) {
		return written.indexOf(MARK, start + 1) + 1;
	}

	private static int end(String written, int start) {
		int begin = begin(written, start);
		return begin + Integer.parseInt(written.substring(start + 1, begin - 1));
	}

}
