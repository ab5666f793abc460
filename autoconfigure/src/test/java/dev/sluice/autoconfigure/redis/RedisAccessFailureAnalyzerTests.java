package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.embedded.RedisServer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts that a server of Redis rejects, and what is printed about them. */
@Tag("redis")
class RedisAccessFailureAnalyzerTests {

	private static RedisServer server;

	private static int port;

	@BeforeAll
	static void start() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
		server.start();
		try (RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync()
				.aclSetuser("reader",
						AclSetuserArgs.Builder.on()
							.addPassword("secret")
							.allKeys()
							.allChannels()
							.allCommands()
							.removeCommand(CommandType.PUBLISH));
		}
	}

	@AfterAll
	static void stop() throws IOException {
		server.stop();
	}

	static Stream<Arguments> rejected() {
		return Stream.of(Arguments.of("reader:wrong", 0, "rejects the user name or the password", "password"),
				Arguments.of("reader:secret", 0, "+publish", "the ACL rules of that user"),
				Arguments.of("reader:secret", 99, "does not have this database", "spring.data.redis.database"));
	}

	@ParameterizedTest
	@MethodSource("rejected")
	void rejectedStartNamesTheProblemAndTheSetting(String user, int database, String problem, String action) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataRedisAutoConfiguration.class, SluiceRedisAutoConfiguration.class,
							SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class))
			.withPropertyValues("sluice.store.type=redis",
					"spring.data.redis.url=redis://" + user + "@127.0.0.1:" + port + "/" + database)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(problem, action);
			});
	}

}
