package dev.sluice.compatibility;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** An application below a context path, below a servlet path, and behind a proxy. */
@Tag("full")
@ParameterizedClass
@MethodSource("dev.sluice.compatibility.Setting#compared")
class PlacementsTests {

	private static Servers servers;

	PlacementsTests(Setting setting) {
	}

	@BeforeParameterizedClassInvocation
	static void start(Setting setting) {
		servers = Servers.in(setting);
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		servers.without().close();
		servers.with().close();
	}

	@ParameterizedTest
	@MethodSource("dev.sluice.compatibility.HandshakesTests#cases")
	void handshakesHaveTheSameAnswer(HandshakeCase handshake) throws IOException {
		assertThat(HandshakesTests.answer(servers.with(), handshake)).as(handshake.name())
			.isEqualTo(HandshakesTests.answer(servers.without(), handshake));
	}

	@ParameterizedTest
	@EnumSource
	void messagesComeBack(Way way) {
		List<String> answers = echo(servers.with(), way);
		assertThat(answers).isEqualTo(echo(servers.without(), way)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/saved", "/echo", "/stomp", "/sockjs/echo", "/sockjs/echo/iframe.html", "/unknown",
			"/echo/more", "/sockjs/echo/000/a/unknown" })
	void requestsHaveTheSameAnswer(String path) {
		assertThat(servers.with().get(path)).isEqualTo(servers.without().get(path));
	}

	private static List<String> echo(Server server, Way way) {
		Inbox inbox = new Inbox();
		try (Link link = way.open(server, way.isOrdered() ? "echo" : "length", inbox)) {
			link.send("message");
			return new ArrayList<>(inbox.take(1));
		}
	}

}
