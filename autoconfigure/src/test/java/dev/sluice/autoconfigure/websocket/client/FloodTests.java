package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.autoconfigure.fixture.LiveHeap;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One client that sends many messages into a slow handler, a million with the profile
 * {@code full}, in an application with a heap that has no room for half of them.
 */
@Tag("full")
@Tag("sockets")
class FloodTests {

	private static final int MESSAGES = Boolean.getBoolean("sluice.test.full") ? 1_000_000 : 100_000;

	private static final int LENGTH = 100;

	private static final int INBOUND = 256 * 1024;

	private static final int OUTBOUND = 256 * 1024;

	private static final int MEGABYTE = 1024 * 1024;

	@Test
	@Timeout(600)
	void theClientIsSlowedAtItsSocketAndNothingIsLostAndTheOrderIsKept() throws Exception {
		Process flood = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx48m", "-Dsluice.test.full=" + Boolean.getBoolean("sluice.test.full"), "-cp",
				System.getProperty("java.class.path"), Flood.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(flood.getInputStream().readAllBytes());
		assertThat(flood.waitFor()).as(output).isZero();
		assertThat(output).contains("In order: " + MESSAGES);
	}

	/** The process of the application, and of its client. */
	static class Flood {

		public static void main(String[] arguments) throws IOException {
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, "--server.port=0",
					"--sluice.websocket.inbound.buffer-size-limit=" + INBOUND + "B",
					"--sluice.websocket.outbound.buffer-size-limit=" + OUTBOUND + "B");
					RawClient client = new RawClient(port(context), "/slow")) {
				long before = LiveHeap.bytes();
				AtomicInteger written = new AtomicInteger();
				CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(client, written));
				AtomicInteger writtenBefore = new AtomicInteger();
				Awaitility.await()
					.atMost(1, TimeUnit.MINUTES)
					.pollInterval(500, TimeUnit.MILLISECONDS)
					.until(() -> written.get() > 0 && writtenBefore.getAndSet(written.get()) == written.get());
				System.out.println("Written when slowed: " + written);
				assertThat(sent).isNotDone();
				assertThat(LiveHeap.bytes() - before).isLessThan(INBOUND + OUTBOUND + 16 * MEGABYTE);
				context.getBean(Gate.class).latch().countDown();
				System.out.println("In order: " + client.read());
				sent.join();
			}
		}

		private static void send(RawClient client, AtomicInteger written) {
			try {
				for (int i = 0; i < MESSAGES; i++) {
					String number = String.valueOf(i);
					client.write(number + " ".repeat(LENGTH - number.length()));
					written.incrementAndGet();
				}
				client.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static int port(ConfigurableApplicationContext context) {
			return ((WebServerApplicationContext) context).getWebServer().getPort();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Slow.class)
	static class Application {

		@Bean
		Gate gate() {
			return new Gate(new CountDownLatch(1));
		}

	}

	record Gate(CountDownLatch latch) {
	}

	/** Handles nothing before the gate is open, and is slow then. */
	@WebSocketEndpoint("/slow")
	static class Slow extends ManagedSession {

		private final Gate gate;

		private int expected;

		Slow(Gate gate) {
			this.gate = gate;
		}

		@OnMessage
		void handle(String message) throws InterruptedException {
			this.gate.latch().await();
			if (Integer.parseInt(message.trim()) != this.expected) {
				send("message " + message.trim() + " in place of " + this.expected);
			}
			if (++this.expected % 200 == 0) {
				LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
			}
			if (this.expected == MESSAGES) {
				send(String.valueOf(this.expected));
			}
		}

	}

}
