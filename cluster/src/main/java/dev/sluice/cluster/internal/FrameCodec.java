package dev.sluice.cluster.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.websocket.message.NodeJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages between nodes as JSON, without reflection. */
final class FrameCodec {

	private final JsonMapper mapper = NodeJson.mapper();

	String write(Request request) {
		ObjectNode frame = this.mapper.createObjectNode()
			.put("request", request.number())
			.put("from", request.origin())
			.put("action", request.action().name());
		SessionQuery query = request.query();
		ObjectNode which = frame.putObject("query");
		putIfSet(which, "id", query.id());
		putIfSet(which, "principal", query.principal());
		putIfSet(which, "type", query.type());
		putIfSet(which, "topic", query.topic());
		if (!query.attributes().isEmpty()) {
			ObjectNode attributes = which.putObject("attributes");
			query.attributes().forEach(attributes::put);
		}
		putIfSet(frame, "content", request.content());
		putIfSet(frame, "type", request.type());
		if (!request.headers().isEmpty()) {
			ObjectNode headers = frame.putObject("headers");
			request.headers().forEach(headers::put);
		}
		return NodeJson.write(frame.put("binary", request.binary()).put("code", request.code()));
	}

	String write(OutcomeRequest question) {
		ObjectNode frame = this.mapper.createObjectNode()
			.put("question", question.number())
			.put("from", question.origin());
		putIfSet(frame, "topic", question.topic());
		return NodeJson.write(frame);
	}

	String write(Answer answer) {
		ObjectNode frame = this.mapper.createObjectNode()
			.put("answer", answer.number())
			.put("from", answer.node())
			.put("state", answer.state().name())
			.put("count", answer.count())
			.put("sent", answer.sent())
			.put("unknown", answer.unknown());
		ObjectNode failures = frame.putObject("failures");
		answer.failures().forEach(failures::put);
		ArrayNode found = frame.putArray("found");
		answer.found().forEach((session) -> {
			ObjectNode one = found.addObject().put("id", session.id()).put("type", session.type());
			putIfSet(one, "principal", session.principal());
		});
		return NodeJson.write(frame);
	}

	private static void putIfSet(ObjectNode frame, String name, @Nullable String value) {
		if (value != null) {
			frame.put(name, value);
		}
	}

	/**
	 * Reads a message.
	 * @return a {@link Request}, {@link OutcomeRequest} or {@link Answer}
	 * @throws RuntimeException if the text is not a message
	 */
	Record read(String frame) {
		JsonNode node = this.mapper.readTree(frame);
		if (node.has("request")) {
			return request(node);
		}
		if (node.has("question")) {
			return new OutcomeRequest(node.required("from").asString(), node.required("question").asLong(),
					text(node, "topic"));
		}
		return answer(node);
	}

	private static Request request(JsonNode node) {
		JsonNode which = node.required("query");
		Map<String, String> attributes = new LinkedHashMap<>();
		which.path("attributes").properties().forEach((one) -> attributes.put(one.getKey(), one.getValue().asString()));
		SessionQuery query = new SessionQuery(text(which, "id"), text(which, "principal"), text(which, "type"),
				text(which, "topic"), attributes);
		return new Request(node.required("from").asString(), node.required("request").asLong(),
				Request.Action.valueOf(node.required("action").asString()), query, text(node, "content"),
				node.required("binary").asBoolean(), text(node, "type"), node.required("code").asInt(),
				PropagatedHeaders.read(node.path("headers")));
	}

	private static Answer answer(JsonNode node) {
		String from = node.required("from").asString();
		Map<String, Integer> failures = new LinkedHashMap<>();
		node.required("failures").properties().forEach((one) -> failures.put(one.getKey(), one.getValue().asInt()));
		List<SessionInfo> found = new ArrayList<>();
		node.required("found")
			.forEach((one) -> found.add(new SessionInfo(one.required("id").asString(), from, text(one, "principal"),
					one.required("type").asString())));
		return new Answer(from, node.required("answer").asLong(),
				Answer.State.valueOf(node.required("state").asString()), node.required("count").asInt(),
				node.required("sent").asInt(), node.path("unknown").asInt(0), failures, found);
	}

	private static @Nullable String text(JsonNode node, String name) {
		JsonNode value = node.get(name);
		return (value != null) ? value.asString() : null;
	}

}
