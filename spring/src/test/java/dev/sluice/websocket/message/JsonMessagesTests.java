package dev.sluice.websocket.message;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
	void aTextThatIsNoJsonHasNoType() {
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> this.messages.typeOf("{\"type\":\"a\""));
	}

}
