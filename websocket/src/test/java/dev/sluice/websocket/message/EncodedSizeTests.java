package dev.sluice.websocket.message;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EncodedSizeTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "plain", "\u007f\u0080", "\u07ff\u0800", "na\u00efve \u20ac", "\ud83d\ude00 \uffff" })
	void aTextCountsItsEncodedBytes(String text) {
		assertThat(EncodedSize.of(new TextMessage(text))).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "a\ude00", "\ud83d\ud83d\ude00", "\ud83dx" })
	void aTextWithoutEncodingIsRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> EncodedSize.of(text)).withMessageContaining("surrogate");
	}

	@Test
	void aBinaryMessageCountsWhatRemains() {
		assertThat(EncodedSize.of(new BinaryMessage(new byte[10], 2, 5, true))).isEqualTo(5);
	}

}
