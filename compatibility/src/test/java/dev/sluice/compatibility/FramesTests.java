package dev.sluice.compatibility;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Bytes of all kinds after the handshake, each on a connection of its own. */
@Tag("full")
class FramesTests {

	@ParameterizedTest
	@MethodSource("cases")
	void whatComesBackFromTomcat(FrameCase frames) throws IOException {
		compare(Container.TOMCAT, frames);
	}

	@ParameterizedTest
	@MethodSource("cases")
	void whatComesBackFromJetty(FrameCase frames) throws IOException {
		compare(Container.JETTY, frames);
	}

	static List<FrameCase> cases() {
		return Table.read("frames.txt").stream().map(FrameCase::parse).toList();
	}

	private static void compare(Container container, FrameCase frames) throws IOException {
		Servers servers = Servers.on(container);
		String without = exchange(servers.without(), frames);
		String with = exchange(servers.with(), frames);
		assertThat(with).as(frames.name()).isIn(Differences.allowed(container, frames.name(), without));
	}

	private static String exchange(Server server, FrameCase frames) throws IOException {
		try (RawConnection connection = new RawConnection(server.port())) {
			return connection.exchange(frames).toString();
		}
	}

}
