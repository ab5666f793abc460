package dev.sluice.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications that start, whatever their beans and properties are. */
@Tag("full")
class StartsTests {

	private static final String BEANS = "com.example.beans.BeansApplication";

	private static final int CLIENTS = 20;

	@ParameterizedTest
	@EnumSource
	void withBeansOfCommonNamesAndAnExecutorOfTwoThreads(Container container) {
		assertEqual((starter) -> observe(Server.start(ClassPath.of(container, starter), BEANS)));
	}

	@ParameterizedTest
	@EnumSource(names = "TOMCAT")
	void withBeansOfCommonNamesThatMayBeReplaced(Container container) {
		String[] properties = { "spring.main.allow-bean-definition-overriding=true" };
		assertEqual((starter) -> observe(Server.start(ClassPath.of(container, starter), BEANS, properties)));
	}

	@ParameterizedTest
	@EnumSource
	void withAShortShutdown(Container container) {
		assertEqual((starter) -> echo("", Server.existing(container, starter,
				"spring.lifecycle.timeout-per-shutdown-phase=5s", "server.shutdown=graceful")));
	}

	@ParameterizedTest
	@EnumSource
	void withVirtualThreadsLazyBeansAndAContextPath(Container container) {
		assertEqual((starter) -> echo("/application",
				Server.existing(container, starter, "spring.threads.virtual.enabled=true",
						"spring.main.lazy-initialization=true", "server.servlet.context-path=/application")));
	}

	/** Starts both at once, as most of the time is that of starting. */
	private static void assertEqual(Function<Boolean, List<String>> observations) {
		CompletableFuture<List<String>> without = CompletableFuture.supplyAsync(() -> observations.apply(false));
		assertThat(observations.apply(true)).isEqualTo(without.join());
	}

	/** What is there, and whether many clients are answered at once. */
	private static List<String> observe(Server server) {
		try (server) {
			List<String> facts = new ArrayList<>(
					List.of(server.get("/flows"), server.get("/injected"), server.get("/thread")));
			List<Inbox> inboxes = new ArrayList<>();
			List<Link> links = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				Inbox inbox = new Inbox();
				links.add(new WebSocketLink(server.port(), "/slow", inbox, inbox::end));
				inboxes.add(inbox);
			}
			links.forEach((link) -> link.send("message"));
			inboxes.forEach((inbox) -> facts.add(inbox.take(1) + " " + inbox.how()));
			links.forEach(Link::close);
			return facts;
		}
	}

	private static List<String> echo(String contextPath, Server server) {
		try (server) {
			Inbox inbox = new Inbox();
			try (Link link = new WebSocketLink(server.port(), contextPath + "/echo", inbox, inbox::end)) {
				link.send("message");
				return List.of(server.get(contextPath + "/saved"), inbox.take(1) + " " + inbox.how());
			}
		}
	}

}
