package dev.sluice.test.socket;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Arguments of {@link SocketClient} that are mistaken for others. */
class SocketClientTests {

	@ParameterizedTest
	@ValueSource(strings = { "v12.stomp", "chat", "localhost:8080", "" })
	void aSubProtocolInThePlaceOfTheOriginIsRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> new SocketClient(1, "/", text))
			.withMessageContainingAll("'origin'", "http://", "sub-protocols", "'" + text + "'");
	}

}
