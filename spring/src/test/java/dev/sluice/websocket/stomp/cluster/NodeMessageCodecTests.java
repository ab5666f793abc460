package dev.sluice.websocket.stomp.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class NodeMessageCodecTests {

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

	private void assertArrives(NodeMessage message) {
		assertThat(this.codec.read(this.codec.write(message))).usingRecursiveComparison().isEqualTo(message);
	}

}
