package dev.sluice.autoconfigure.websocket;

import java.io.IOException;

import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages that come in parts, on real sockets. */
@Tag("tomcat")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.websocket.message-time-limit=200ms")
class MessagePartsTests {

	@LocalServerPort
	private int port;

	@Test
	void aMessageThatIsNotCompleteInTimeEndsItsSession() throws IOException {
		try (RawClient client = new RawClient(this.port, "/parts")) {
			client.writeFirstPart(new byte[1]);
			client.flush();
			assertThat(client.readCloseCode()).isEqualTo(1008);
		}
	}

	@Test
	void aMessageOfEmptyPartsEndsItsSession() throws IOException {
		try (RawClient client = new RawClient(this.port, "/parts")) {
			client.writeFirstPart(new byte[0]);
			for (int i = 0; i < 64; i++) {
				client.writeNextPart(new byte[0]);
			}
			client.flush();
			assertThat(client.readCloseCode()).isEqualTo(1008);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Parts.class)
	static class Application {

	}

	@WebSocketEndpoint("/parts")
	static class Parts extends ManagedSession {

		@OnMessage
		void handle(byte[] message) {
		}

	}

}
