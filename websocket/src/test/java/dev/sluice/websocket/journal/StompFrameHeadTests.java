package dev.sluice.websocket.journal;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;

class StompFrameHeadTests {

	@ParameterizedTest
	@CsvSource(nullValues = "none", delimiter = '|', textBlock = """
			MESSAGE;subscription:0;destination:/topic/a;;body                  | /topic/a | none
			MESSAGE;destination:/topic/\u00e4;destination:/topic/b;;body       | /topic/\u00e4 | none
			MESSAGE;destination:/topic/a\\cb\\\\n\\\\;;                      | /topic/a:b\\n\\ | none
			MESSAGE;subscription:0;;destination:/topic/body;;                  | none | none
			MESSAGE;destination:/topic/a                                       | /topic/a | none
			MESSAGES;destination:/topic/a;;                                    | none | none
			RECEIPT;destination:/topic/a;;                                     | none | none
			CONNECTED;version:1.2;user-name:a\\cnn;;                           | none | a\\cnn
			CONNECTED;version:1.2;;                                            | none | none
			;                                                                  | none | none
			MESS                                                               | none | none
			""")
	void isReadOfTextAndBinaryFrames(String lines, String destination, String user) {
		String frame = lines.replace(';', '\n');
		TextMessage text = new TextMessage(frame);
		BinaryMessage binary = new BinaryMessage(frame.getBytes(StandardCharsets.UTF_8));
		assertThat(StompFrameHead.destination(text)).isEqualTo(destination);
		assertThat(StompFrameHead.destination(binary)).isEqualTo(destination);
		assertThat(StompFrameHead.connectedUser(text)).isEqualTo(user);
		assertThat(StompFrameHead.connectedUser(binary)).isEqualTo(user);
		assertThat(binary.getPayload().position()).isZero();
	}

}
