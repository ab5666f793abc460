package dev.sluice.guide;

import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/resume.md} shows. */
@SpringBootTest(classes = ResumeGuideTests.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ResumeGuideTests {

	@LocalServerPort
	private int port;

	@Test
	void aDraftIsThereAgain() throws InterruptedException {
		SocketClient first = new SocketClient(this.port, "/drafts/7");
		first.send("{\"type\":\"resume\"}");
		String token = JsonMapper.shared().readTree(first.next()).path("token").asString();
		assertThat(first.next()).contains("\"topic\":\"room-7\"");
		first.send("{\"type\":\"draft\",\"text\":\"dear\"}");
		first.send("{\"type\":\"read\"}");
		assertThat(first.next()).contains("dear");
		first.abort();
		try (SocketClient second = new SocketClient(this.port, "/drafts/7")) {
			second.send("{\"type\":\"resume\",\"token\":\"" + token + "\",\"at\":{},\"seq\":1}");
			assertThat(second.next()).contains("\"recovered\":{\"room-7\":true},\"direct\":true");
			second.send("{\"type\":\"read\"}");
			assertThat(second.next()).contains("dear");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(DraftSession.class)
	static class Application {

	}

	record Draft(String text) {

		static final Draft EMPTY = new Draft("");

	}

	record Reload() {
	}

}
