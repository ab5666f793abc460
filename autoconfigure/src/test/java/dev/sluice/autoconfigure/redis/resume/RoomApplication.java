package dev.sluice.autoconfigure.redis.resume;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketEndpoint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application with rooms whose members resume, over Redis. As a process: the port of
 * Redis, then more properties; it prints the port at which it serves, and stops in order
 * when it reads a line.
 */
final class RoomApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private RoomApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static RoomApplication start(int redis, String... properties) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "server.tomcat.accept-count=2000",
				"sluice.cluster.type=redis", "spring.data.redis.url=redis://127.0.0.1:" + redis,
				"sluice.cluster.history.size=1000", "spring.main.banner-mode=off", "logging.level.root=warn"));
		all.addAll(List.of(properties));
		return new RoomApplication(new SpringApplicationBuilder(Rooms.class).web(WebApplicationType.SERVLET)
			.properties(all.toArray(String[]::new))
			.run());
	}

	public static void main(String[] arguments) throws IOException {
		List<String> properties = List.of(arguments).subList(1, arguments.length);
		RoomApplication application = start(Integer.parseInt(arguments[0]), properties.toArray(String[]::new));
		System.out.println("port " + application.port());
		String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
		if (line == null) {
			Runtime.getRuntime().halt(1);
		}
		application.close();
	}

	int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	SessionCluster cluster() {
		return this.context.getBean(SessionCluster.class);
	}

	/** Returns whether it knows so many nodes, and hears each. */
	boolean hears(int nodes) {
		return cluster().nodes().size() == nodes && cluster().find(SessionQuery.all()).join().silentNodes().isEmpty();
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Room.class)
	static class Rooms {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = "room-{room}", resumable = true)
	static class Room extends ManagedSession {

	}

	record Text(int text) {
	}

	/** Text with a value, and the hash of the value as a client must read it. */
	record Strange(int text, int hash, Object value) {

		static Strange of(int text, Object value) {
			return new Strange(text, hash(JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(value))),
					value);
		}

		static int hash(JsonNode value) {
			return value.toString().hashCode();
		}

	}

}
