package dev.sluice.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A hundred clients that stop reading, beside ten that do not, with four workers. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.execution.workers=4", "sluice.websocket.outbound.send-time-limit=4s",
				"sluice.websocket.outbound.buffer-size-limit=64KB", "sluice.websocket.inbound.buffer-size-limit=64KB" })
class StalledClientsTests {

	private static final int STALLED = 100;

	/** More than the buffers of the sockets take. */
	private static final byte[] LARGE = new byte[8 * 1024 * 1024];

	private static final Duration WINDOW = Duration.ofMillis(500);

	private static final int MEGABYTE = 1024 * 1024;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Test
	void theOthersAreAnsweredAsFastAsWithoutThemAndTheStalledOnesEnd() throws IOException {
		List<RawClient> lively = connect("/echo", 10);
		measure(lively);
		long before = measure(lively);
		long heapBefore = liveHeap();
		List<RawClient> stalled = connect("/deaf", STALLED);
		await().until(() -> this.sessions.count() == STALLED + lively.size());
		this.sessions.postToAll(Deaf.class, (session) -> true, LARGE);
		this.sessions.postToAll(Deaf.class, (session) -> true, "x".repeat(32 * 1024));
		long beside = measure(lively);
		assertThat(this.sessions.find(Deaf.class, (session) -> true)).hasSize(STALLED);
		assertThat(liveHeap() - heapBefore).isLessThan((STALLED * 128L * 1024) + 16L * MEGABYTE);
		assertThat(Duration.ofNanos(beside)).as("p99 beside the stalled, " + Duration.ofNanos(before) + " without")
			.isLessThan(Duration.ofNanos(2 * before).plusMillis(5));
		await().atMost(Duration.ofSeconds(20)).until(() -> this.sessions.count() == lively.size());
		stalled.forEach(RawClient::close);
		lively.forEach(RawClient::close);
	}

	private List<RawClient> connect(String path, int count) {
		return IntStream.range(0, count).mapToObj((i) -> new RawClient(this.port, path)).toList();
	}

	/**
	 * Returns the time, in nanoseconds, in which 99 % of the answers come; the best of
	 * several, since the machine does other things too.
	 */
	private static long measure(List<RawClient> clients) throws IOException {
		long best = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			best = Math.min(best, measureOnce(clients));
		}
		return best;
	}

	private static long measureOnce(List<RawClient> clients) throws IOException {
		List<Long> times = new ArrayList<>();
		long end = System.nanoTime() + WINDOW.toNanos();
		while (System.nanoTime() < end) {
			for (RawClient client : clients) {
				long start = System.nanoTime();
				client.write("hello");
				client.flush();
				client.read();
				times.add(System.nanoTime() - start);
			}
		}
		long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
		return Arrays.stream(sorted).skip(sorted.length * 99L / 100).findFirst().orElseThrow();
	}

	private static long liveHeap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Echo.class, Deaf.class })
	static class Application {

	}

	@WebSocketEndpoint("/echo")
	static class Echo extends ManagedSession {

		@OnMessage
		String echo(String message) {
			return message;
		}

	}

	@WebSocketEndpoint("/deaf")
	static class Deaf extends ManagedSession {

	}

}
