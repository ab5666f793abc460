package dev.sluice.benchmarks.websocket;

import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that is not what its name says would make benchmarks meaningless. */
@Timeout(60)
class EchoServerTests {

	@Test
	void sluiceManagesTheSessionsAndAllMessagesComeBack() {
		try (ConfigurableApplicationContext server = EchoServer.start("--levels=true");
				Clients clients = clients(server)) {
			assertThat(Pings.p99(clients, EchoServer.URGENT, 1, 20)).isPositive();
			assertThat(Circulation.throughput(clients, 500)).isPositive();
			assertThat(server.getBean(WebSocketSessionManager.class).count()).isEqualTo(3);
		}
	}

	@Test
	void plainSpringHasNothingOfSluiceAtItsSockets() {
		try (ConfigurableApplicationContext server = EchoServer.start("--sluice.websocket.enabled=false");
				Clients clients = clients(server)) {
			assertThat(Pings.p99(clients, EchoServer.URGENT, 1, 20)).isPositive();
			assertThat(server.getBeanNamesForType(WebSocketSessionManager.class)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "--sluice.websocket.enabled=false --by-hand=true", "--limited=true" })
	void limitedServersAnswerAllMessages(String arguments) {
		try (ConfigurableApplicationContext server = EchoServer.start(arguments.split(" "));
				Clients clients = clients(server)) {
			assertThat(Pings.p99(clients, EchoServer.URGENT, 1, 20)).isPositive();
			assertThat(Circulation.throughput(clients, 500)).isPositive();
		}
	}

	private static Clients clients(ConfigurableApplicationContext server) {
		return new Clients(Integer.parseInt(String.valueOf(server.getEnvironment().getProperty("local.server.port"))),
				Load.ECHO, 3);
	}

}
