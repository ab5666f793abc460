package dev.sluice.autoconfigure.cluster;

import java.io.IOException;
import java.net.ServerSocket;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.embedded.RedisServer;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Subscribers that come back, of two nodes over Redis. */
@Tag("redis")
@Tag("full")
class RedisStompResumeTests extends StompResumeContract {

	private RedisServer server;

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext other;

	@BeforeAll
	void start() throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		this.server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
		this.server.start();
		this.one = run(port);
		this.other = run(port);
	}

	private static ConfigurableApplicationContext run(int redis) {
		return new SpringApplicationBuilder(Application.class).run("--server.port=0", "--sluice.cluster.type=redis",
				"--sluice.cluster.stomp.destinations=/topic/**,/queue/**",
				"--spring.data.redis.url=redis://127.0.0.1:" + redis);
	}

	@AfterAll
	void stop() throws IOException {
		this.one.close();
		this.other.close();
		this.server.stop();
	}

	@Override
	ConfigurableApplicationContext one() {
		return this.one;
	}

	@Override
	ConfigurableApplicationContext other() {
		return this.other;
	}

}
