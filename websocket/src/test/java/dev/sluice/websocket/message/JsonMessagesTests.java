package dev.sluice.websocket.message;

import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.ResponseEntity;
import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JsonMessagesTests {

	private final JsonMessages messages = new JsonMessages(JsonMapper.shared(), "type");

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":\"a\"}", "{\"x\":{\"type\":\"b\"},\"type\":\"a\",\"y\":[1]}", "{\"type\":1}",
			"{\"type\":{}}", "{}", "[\"type\",\"a\"]", "\"type\"", "null", "{\"x\":[{\"type\":\"a\"}]}",
			"{\"ty\\u0070e\":\"\\u0061\"}" })
	void theTypeOfATextIsThatOfItsTree(String text) {
		assertThat(this.messages.typeOf(text)).isEqualTo(this.messages.typeOf(this.messages.read(text)));
	}

	@Test
	void theTypeIsTheFirstAndNothingBehindItIsRead() {
		assertThat(this.messages.typeOf("{\"type\":\"a\",\"type\":\"b\"")).isEqualTo("a");
	}

	@Test
	void aTextThatIsNoJsonHasNoType() {
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> this.messages.typeOf("{\"x\":"));
	}

	@ParameterizedTest
	@MethodSource
	void recordsOfASealedInterfaceHaveTheirType(Object message, String json) {
		assertThat(this.messages.write(message).message()).isEqualTo(new TextMessage(json));
	}

	static Stream<Arguments> recordsOfASealedInterfaceHaveTheirType() {
		return Stream.of(
				Arguments.of(new Paid(new BigDecimal("12345678901234567.890")),
						"{\"type\":\"paid\",\"amount\":12345678901234567.890}"),
				Arguments.of(new Nothing(), "{\"type\":\"nothing\"}"),
				Arguments.of(new Own("mine"), "{\"type\":\"mine\"}"), Arguments.of(new Scalar(1), "1"),
				Arguments.of(new Named(1), "{\"type\":\"other\",\"value\":1}"),
				Arguments.of(new Plain(1), "{\"value\":1}"));
	}

	@ParameterizedTest
	@MethodSource
	void whatStandsForALaterMessageCannotBeSent(Object message) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.messages.write(message))
			.withMessageContaining(message.getClass().getName() + " cannot be sent");
	}

	static Stream<Object> whatStandsForALaterMessageCannotBeSent() {
		return Stream.of(CompletableFuture.completedFuture("x"), ResponseEntity.ok("x"), Stream.of(1),
				new IllegalStateException("x"));
	}

	sealed interface Event permits Paid, Nothing, Own, Scalar {

	}

	record Paid(BigDecimal amount) implements Event {
	}

	record Nothing() implements Event {
	}

	record Own(@JsonProperty("type") String kind) implements Event {
	}

	record Scalar(@JsonValue int value) implements Event {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonSubTypes(@JsonSubTypes.Type(value = Named.class, name = "other"))
	sealed interface SelfNamed permits Named {

	}

	record Named(int value) implements SelfNamed {
	}

	record Plain(int value) {
	}

}
