package dev.sluice.compatibility;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests for an upgrade, valid and not. */
@Tag("full")
class HandshakesTests {

	@ParameterizedTest
	@MethodSource("cases")
	void whatTomcatAnswers(HandshakeCase handshake) throws IOException {
		compare(Container.TOMCAT, handshake);
	}

	@ParameterizedTest
	@MethodSource("cases")
	void whatJettyAnswers(HandshakeCase handshake) throws IOException {
		compare(Container.JETTY, handshake);
	}

	static List<HandshakeCase> cases() {
		return Table.read("handshakes.txt").stream().map(HandshakeCase::parse).toList();
	}

	private static void compare(Container container, HandshakeCase handshake) throws IOException {
		Servers servers = Servers.on(container);
		List<String> without = answer(servers.without(), handshake);
		assertThat(answer(servers.with(), handshake)).as(handshake.name()).isEqualTo(without);
	}

	/** Returns the status, and the headers that make an upgrade. */
	static List<String> answer(Server server, HandshakeCase handshake) throws IOException {
		try (RawConnection connection = new RawConnection(server.port())) {
			List<String> head = connection.request(handshake.request(server), handshake.headers());
			return head.stream()
				.filter((line) -> line.matches("(?i)HTTP/.*|upgrade:.*|connection:.*|sec-websocket-.*|allow:.*"))
				.map((line) -> line.startsWith("HTTP/") ? line.split(" ")[1] : line)
				.sorted()
				.toList();
		}
	}

}
