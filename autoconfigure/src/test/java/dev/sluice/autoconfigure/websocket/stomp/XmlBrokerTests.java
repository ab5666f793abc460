package dev.sluice.autoconfigure.websocket.stomp;

import dev.sluice.autoconfigure.fixture.StompClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportResource;
import org.springframework.messaging.simp.annotation.SubscribeMapping;
import org.springframework.stereotype.Controller;

import static org.assertj.core.api.Assertions.assertThat;

/** STOMP that is configured in XML, which is left alone. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class XmlBrokerTests {

	@LocalServerPort
	private int port;

	@Test
	void itsMessagesAreHandledByItsOwnThreads() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/app/thread");
			assertThat(client.next()).startsWith("clientInboundChannel");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportResource("dev/sluice/autoconfigure/message-broker.xml")
	@Import(Threads.class)
	static class Application {

	}

	@Controller
	static class Threads {

		@SubscribeMapping("/thread")
		byte[] thread() {
			return Thread.currentThread().getName().getBytes();
		}

	}

}
