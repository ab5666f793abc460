package dev.sluice.benchmarks.cluster;

import java.io.IOException;
import java.security.Principal;
import java.util.Arrays;
import java.util.Scanner;

import dev.sluice.bus.ClusterBus;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.Topic;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketEndpoint;
import io.lettuce.core.RedisClient;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A node with one topic, and rooms whose members resume. Prints its port; publishes as
 * many messages as each input line specifies; ends with its input. Arguments: port of
 * Redis, then properties.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ClusterNode.Member.class, ClusterNode.Idler.class, ClusterNode.Room.class, ClusterNode.Users.class })
class ClusterNode {

	/** The topic. */
	static final String TOPIC = "room";

	/** A message of 64 bytes. */
	static final String MESSAGE = "0123456789abcdef".repeat(4);

	private static final int DIGITS = 8;

	/** Returns the message of a number, which is of as many bytes. */
	static String message(int number) {
		String digits = Integer.toString(number);
		return "0".repeat(DIGITS - digits.length()) + digits + MESSAGE.substring(DIGITS);
	}

	/** Returns the number of a message. */
	static int number(String message) {
		return Integer.parseInt(message.substring(0, DIGITS));
	}

	/** Starts a node on a free port. */
	static ConfigurableApplicationContext start(int redis, String... properties) {
		return new SpringApplicationBuilder(ClusterNode.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=off",
					"sluice.cluster.type=redis", "sluice.cluster.history.size=100", "redis=redis://127.0.0.1:" + redis)
			.properties(properties)
			.run();
	}

	/** Returns where a node listens. */
	static int port(ConfigurableApplicationContext node) {
		return node.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	public static void main(String[] arguments) {
		String[] properties = Arrays.copyOfRange(arguments, 1, arguments.length);
		try (ConfigurableApplicationContext node = start(Integer.parseInt(arguments[0]), properties);
				Scanner commands = new Scanner(System.in)) {
			Topic topic = node.getBean(SessionCluster.class).topic(TOPIC);
			System.out.println(port(node));
			while (commands.hasNextInt()) {
				int messages = commands.nextInt();
				for (int message = 0; message < messages; message++) {
					topic.publish(MESSAGE);
				}
			}
		}
		System.exit(0);
	}

	@Bean(destroyMethod = "shutdown")
	RedisClient client(@Value("${redis}") String url) {
		return RedisClient.create(url);
	}

	@Bean
	ClusterBus bus(RedisClient client) {
		return RedisClusterBus.builder(client).build();
	}

	/** A member of the topic. */
	@WebSocketEndpoint(path = "/member", topics = TOPIC)
	static class Member extends ManagedSession {

	}

	/** A session that does nothing. */
	@WebSocketEndpoint(path = "/idler")
	static class Idler extends ManagedSession {

	}

	/** A member of a room that may resume. */
	@WebSocketEndpoint(path = "/rooms/{room}", topics = "room-{room}", resumable = true)
	static class Room extends ManagedSession {

	}

	/** The query is the user. */
	static class Users extends OncePerRequestFilter {

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String user = request.getQueryString();
			chain.doFilter((user == null) ? request : new HttpServletRequestWrapper(request) {

				@Override
				public Principal getUserPrincipal() {
					return () -> user;
				}

			}, response);
		}

	}

}
