package dev.sluice.compatibility;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers of the application that knows nothing of the starter. They serve all tests,
 * and end with the process.
 */
record Servers(Server without, Server with) {

	/** Lets the process end while clients of SockJS still stream. */
	private static final String[] AT_ONCE = { "server.shutdown=immediate",
			"spring.lifecycle.timeout-per-shutdown-phase=5s" };

	private static final Map<Container, CompletableFuture<Servers>> RUNNING = new ConcurrentHashMap<>();

	static Servers on(Container container) {
		return RUNNING
			.computeIfAbsent(container, (key) -> CompletableFuture.supplyAsync(() -> start(key), Runnable::run))
			.join();
	}

	private static Servers start(Container container) {
		return in(new Setting(container, Placement.ROOT));
	}

	/** Starts servers for one test class, which closes them. */
	static Servers in(Setting setting) {
		return new Servers(start(setting, false), start(setting, true));
	}

	private static Server start(Setting setting, boolean starter) {
		return Server.existing(setting.container(), starter, setting.placement(), AT_ONCE);
	}

}
