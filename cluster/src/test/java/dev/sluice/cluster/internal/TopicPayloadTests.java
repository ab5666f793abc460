package dev.sluice.cluster.internal;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.sluice.bus.Position;
import dev.sluice.test.SettableClock;
import dev.sluice.test.trial.HostileValues;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TopicPayloadTests {

	private static final Position AT = new Position(7, "node.1");

	private static final String WHERE = "\"topic\":\"room \\\"7\\\"\",\"at\":\"7.node.1\"}";

	private final TopicPayload payloads = payloads(JsonMapper.shared());

	private static TopicPayload payloads(JsonMapper mapper) {
		return new TopicPayload(new JsonMessages(mapper, "type"), new SettableClock());
	}

	@Test
	void anythingIsRejectedWithTheLimitOrReadBack() {
		attack(400);
	}

	@Tag("hostile")
	@Test
	void muchMoreIsRejectedWithTheLimitOrReadBack() {
		attack(20_000);
	}

	/** Whatever the limits of the application's own mapper are. */
	private static void attack(int times) {
		HostileValues values = HostileValues.create();
		List<JsonMapper> mappers = List.of(JsonMapper.shared(),
				new JsonMapper(JsonFactory.builder()
					.streamReadConstraints(StreamReadConstraints.builder()
						.maxNestingDepth(2)
						.maxNumberLength(3)
						.maxStringLength(5)
						.maxNameLength(4)
						.build())
					.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(600).build())
					.build()).rebuild().enable(SerializationFeature.INDENT_OUTPUT).build());
		List<TopicPayload> written = mappers.stream().map(TopicPayloadTests::payloads).toList();
		int arrived = 0;
		for (int i = 0; i < times; i++) {
			int which = values.next(mappers.size());
			JsonMapper mapper = mappers.get(which);
			TopicPayload payloads = written.get(which);
			Object message = values.oneIn(3) ? values.text(60_000) : Objects.requireNonNullElse(values.value(), 1);
			Map<String, String> headers = values.oneIn(4) ? Map.of(values.word(20), values.text(200)) : Map.of();
			String payload = write(payloads, message, headers, values.seed());
			if (payload != null) {
				arrived++;
				check(payloads, mapper, message, headers, HostileValues.utf8(payload));
			}
		}
		assertThat(arrived).isBetween(times / 4, times - 1);
	}

	private static @Nullable String write(TopicPayload payloads, Object message, Map<String, String> headers,
			long seed) {
		try {
			return payloads.write(message, false, headers);
		}
		catch (IllegalArgumentException | JacksonException ex) {
			assertThat(ex).as("seed %s", seed).message().containsPattern("\\d{3}|surrogate|'topic'");
			return null;
		}
	}

	private static void check(TopicPayload payloads, JsonMapper mapper, Object message, Map<String, String> headers,
			String payload) {
		WrittenMessage read = payloads.message("room \"7\"", payload, AT);
		assertThat(read).isNotNull();
		String frame = (String) read.message().getPayload();
		JsonNode client = JsonMapper.shared().readTree(frame);
		assertThat(client.get("at").stringValue()).isEqualTo("7.node.1");
		if (message instanceof String text) {
			assertThat(client.get("data").stringValue()).isEqualTo(text);
		}
		else {
			String json = mapper.writeValueAsString(message);
			boolean object = json.startsWith("{");
			assertThat(frame.contains(object ? json.substring(1, json.length() - 1).strip() : json)).isTrue();
			assertThat(read.type()).isEqualTo(!object ? "message"
					: (message instanceof Map<?, ?> map && map.get("type") instanceof String type) ? type : null);
		}
		assertThat(TopicPayload.headers(payload)).isEqualTo(headers);
	}

	@Test
	void fiveHundredLevelsAreTheMostOfAFrame() {
		assertThat(frame(nested("[", "]", 499))).endsWith("]," + WHERE);
		assertThat(frame(nested("{\"a\":", "}", 499))).endsWith("}," + WHERE);
		assertThatIllegalArgumentException().isThrownBy(() -> frame(nested("[", "]", 500)))
			.withMessageContaining("500");
		assertThatIllegalArgumentException().isThrownBy(() -> frame(nested("{\"a\":", "}", 501)))
			.withMessageContaining("500");
	}

	private static RawValue nested(String open, String close, int levels) {
		return new RawValue(open.repeat(levels) + ((open.length() > 1) ? "1" : "") + close.repeat(levels));
	}

	private String frame(Object message) {
		return this.payloads.frame("room \"7\"", this.payloads.write(message, true, Map.of()), AT);
	}

	/** As an application's own serializer may write it. */
	@Test
	void jsonStaysAsItWasWritten() {
		assertThat(frame(new RawValue(" {\"a\":1,\"a\":1.50, \"b\":1E+9 } ")))
			.startsWith("{\"a\":1,\"a\":1.50, \"b\":1E+9,");
		assertThat(frame(new RawValue(" {\n} "))).isEqualTo("{" + WHERE);
		assertThat(frame(new RawValue("0.10"))).isEqualTo("{\"type\":\"message\",\"data\":0.10," + WHERE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{", "{\"a\":1", "{}{}", "{} x", "[1,]", "x", "\"a", "{\"a\":{}", "NaN" })
	void whatIsNotOneJsonValueIsRejected(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> frame(new RawValue(json))).withMessageContaining("JSON");
	}

	@ParameterizedTest
	@MethodSource
	void entryThatCannotBeReadIsAGap(String payload) {
		assertThat(this.payloads.message("room", payload, AT)).isNull();
		assertThat(this.payloads.frame("room", payload, AT))
			.isEqualTo("{\"type\":\"gap\",\"topic\":\"room\",\"at\":\"7.node.1\"}");
		assertThat(TopicPayload.headers(payload)).isEmpty();
	}

	static Stream<String> entryThatCannotBeReadIsAGap() {
		return Stream.of("", "0", "1", "0::", ":", "0:1:", "0:2:1", "0:-1:{}", "0-5:2:{}", "05:2:{}", "0:2:\"\ud800\"",
				"0:x:{}", "0:99999999999:{}", "0{\"a\":1}", "{\"a\":1}", "0:7:{\"a\":1x", "0:1:{", "garbage",
				"0" + "[".repeat(500));
	}

	@Test
	void headersThatCannotBeReadAreLeftOut() {
		assertThat(TopicPayload.headers("0:2:@9@xx{}")).isEmpty();
		assertThat(TopicPayload.headers("0:2:@{}")).isEmpty();
	}

}
