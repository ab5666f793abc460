package dev.sluice.cluster.stomp;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.test.trial.HostileValues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class NodeMessageCodecTests {

	private static final byte[] NO_BYTES = {};

	private final NodeMessageCodec codec = new NodeMessageCodec();

	@Test
	void everythingArrives() {
		assertArrives(new NodeMessage("/user/a%2Fb/queue/\"x\"", "session", "text/plain;charset=UTF-8",
				Map.of("colour", List.of("red", "blue"), "empty", List.of("")), new byte[] { 1, 2 }));
	}

	/** As Spring makes them of headers that are null. */
	@Test
	void headersWithoutAValueArrive() {
		assertArrives(
				new NodeMessage("/topic/x", null, null, Map.of("none", Collections.singletonList(null)), new byte[0]));
	}

	@Test
	void whatIsNotThereStaysAway() {
		assertArrives(new NodeMessage("/topic/x", null, null, Map.of(), new byte[0]));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "text", "{\"a\":1}", "\u0000\n\\\"", "\u00fc\u20ac\ud83d\ude00", "\ufeffmark", "\ufffd" })
	void textArrivesAsItWas(String text) {
		assertArrives(message(text.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void anyBytesArriveAsTheyWere() {
		byte[] bytes = new byte[256];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = (byte) i;
		}
		assertArrives(message(bytes));
		assertArrives(message(new byte[] { (byte) 0xed, (byte) 0xa0, (byte) 0x80 }));
		assertArrives(message(new byte[] { (byte) 0xc0, (byte) 0x80 }));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "{}", "{\"to\":\"/topic/x\"}", "{\"text\":\"x\"}", "[]" })
	void anythingElseIsRejected(String text) {
		assertThatException().isThrownBy(() -> this.codec.read(text));
	}

	private static NodeMessage message(byte[] payload) {
		return new NodeMessage("/topic/x", null, null, Map.of(), payload);
	}

	@Test
	void itIsSeenWithoutReadingAllOfATextWhereItGoes() {
		String text = this.codec.write(new NodeMessage("/topic/\"a", null, null, Map.of(), new byte[0]));
		assertThat(this.codec.mayBeTo(text, "/topic/\"a")).isTrue();
		assertThat(this.codec.mayBeTo(text, "/topic/\"")).isFalse();
		assertThat(this.codec.mayBeTo(text, "/topic/\"ab")).isFalse();
	}

	@Test
	void hostileHeadersAndTextsArrive() {
		attack(100);
	}

	@Tag("hostile")
	@Test
	void manyHostileHeadersAndTextsArrive() {
		attack(2_000);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		for (int number = 0; number < times; number++) {
			Map<String, List<@Nullable String>> headers = new LinkedHashMap<>();
			for (int header = values.next(4); header > 0; header--) {
				headers.put(values.text(60_000), List.of(values.text(300), values.text(300)));
			}
			String destination = "/topic/" + values.text(1_000);
			NodeMessage message = new NodeMessage(destination, values.oneIn(2) ? values.text(100) : null,
					values.oneIn(2) ? values.text(100) : null, headers,
					values.text(600).getBytes(values.oneIn(2) ? StandardCharsets.UTF_8 : StandardCharsets.UTF_16));
			String text = HostileValues.utf8(this.codec.write(message));
			NodeMessage read = this.codec.read(text);
			assertThat(read.payload()).as("seed %s", values.seed()).isEqualTo(message.payload());
			assertThat(withoutPayload(read)).as("seed %s", values.seed()).isEqualTo(withoutPayload(message));
			assertThat(this.codec.mayBeTo(text, destination)).as("seed %s", values.seed()).isTrue();
		}
	}

	/** Records compare arrays by identity. */
	private static NodeMessage withoutPayload(NodeMessage message) {
		return new NodeMessage(message.destination(), message.sessionId(), message.contentType(), message.headers(),
				NO_BYTES);
	}

	private void assertArrives(NodeMessage message) {
		assertThat(this.codec.read(this.codec.write(message))).usingRecursiveComparison().isEqualTo(message);
	}

}
