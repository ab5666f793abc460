package dev.sluice.guide;

import java.security.Principal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.SettableClock;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** Runs the code of the pages in {@code docs/howto}. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=none", "sluice.throttles.orders.limit=1",
				"sluice.throttles.orders.period=1m", "sluice.throttles.heat.limit=10",
				"sluice.throttles.heat.period=1m", "sluice.websocket.max-sessions-per-address=1",
				"server.forward-headers-strategy=native" })
class HowToGuideTests {

	private static final String ADDRESS = "X-Forwarded-For";

	@LocalServerPort
	private int port;

	@Test
	void eachUserHasTheLimit(@Autowired OrderController orders) {
		assertThat(orders.place(() -> "ann")).isEqualTo("placed");
		assertThat(orders.place(() -> "bob")).isEqualTo("placed");
		assertThatException().isThrownBy(() -> orders.place(() -> "ann"));
	}

	@Test
	void aRejectedRequestHasTheTimeToRetry() {
		RestClient client = RestClient.create("http://localhost:" + this.port);
		client.post().uri("/anonymous").retrieve().toBodilessEntity();
		HttpHeaders headers = client.post()
			.uri("/anonymous")
			.exchange((request, response) -> response.getStatusCode().value() == 429 ? response.getHeaders()
					: HttpHeaders.EMPTY);
		assertThat(headers.getFirst("Retry-After")).isEqualTo("60");
	}

	@Test
	void tasksOfAUserRunInOrder(@Autowired Bookings bookings) {
		bookings.book("ann", "first");
		bookings.book("ann", "second");
		assertThat(bookings.book("ann", "third")).succeedsWithin(Duration.ofSeconds(30));
		assertThat(bookings.booked).containsExactly("first", "second", "third");
	}

	@Test
	void anOrderIsLockedUntilItIsDoneOrItsClientLeaves(@Autowired ThrottlingManager limits)
			throws InterruptedException {
		try (SocketClient ann = connect("/order-desk", "192.0.2.1");
				SocketClient bob = connect("/order-desk", "192.0.2.2")) {
			ann.send("{\"type\":\"open\",\"id\":\"17\"}");
			assertThat(ann.next()).contains("opened");
			bob.send("{\"type\":\"open\",\"id\":\"17\"}");
			await().until(() -> limits.get("order").state("17").waiting() == 1);
			ann.send("{\"type\":\"done\",\"id\":\"17\"}");
			assertThat(bob.next()).contains("opened");
		}
		await().until(() -> limits.get("order").tryAcquire("17").admitted());
	}

	@Test
	void addressesAreThoseOfTheProxy() {
		List<SocketClient> clients = List.of(connect("/order-desk", "192.0.2.3"), connect("/order-desk", "192.0.2.4"));
		assertThatException().isThrownBy(() -> connect("/order-desk", "192.0.2.3").close());
		clients.forEach(SocketClient::close);
	}

	@Test
	void aLimitIsChangedWhileItIsUsed(@Autowired ThrottlingManager limits) {
		Load load = new Load(limits);
		assertThat(limits.get("heat").tryAcquire("", 10).admitted()).isTrue();
		assertThat(limits.get("heat").tryAcquire().admitted()).isFalse();
		load.relax();
		assertThat(limits.get("heat").tryAcquire().admitted()).isTrue();
	}

	private SocketClient connect(String path, String address) {
		return new SocketClient(this.port, path, (handshake) -> handshake.header(ADDRESS, address));
	}

	@RestController
	static class OrderController {

		@PostMapping("/orders")
		@Throttled(value = "orders", key = "#principal.name")
		public String place(Principal principal) {
			return "placed";
		}

		@PostMapping("/anonymous")
		@Throttled("orders")
		public String placeAnonymously() {
			return "placed";
		}

	}

	@Component
	static class Bookings {

		private final List<String> booked = new CopyOnWriteArrayList<>();

		private final SequentialLeveledTaskExecutor users;

		Bookings(@Qualifier("users") SequentialLeveledTaskExecutor users) {
			this.users = users;
		}

		LeveledTask<Receipt> book(String user, String seat) {
			return this.users.submit(user, Level.NORMAL, () -> reserve(seat));
		}

		private Receipt reserve(String seat) {
			this.booked.add(seat);
			return new Receipt(seat);
		}

		record Receipt(String seat) {

		}

	}

	@WebSocketEndpoint(path = "/desk")
	static class Desk extends ManagedSession {

		private final Bookings bookings;

		Desk(Bookings bookings) {
			this.bookings = bookings;
		}

		@OnMessage
		LeveledTask<Bookings.Receipt> book(Book message) {
			return this.bookings.book(Objects.requireNonNull(principal()).getName(), message.seat());
		}

		record Book(String seat) {

		}

	}

	@WebSocketEndpoint(path = "/order-desk")
	static class OrderDesk extends ManagedSession {

		private final ThrottlingManager limits;

		private final Set<String> open = new HashSet<>();

		OrderDesk(ThrottlingManager limits) {
			this.limits = limits;
		}

		@OnMessage
		@Mutex(value = "order", key = "#order.id()", owner = "#session.id", mode = Mode.ACQUIRE)
		@WhenThrottled(action = Action.WAIT, maxWait = "30s")
		Opened open(Open order) {
			this.open.add(order.id());
			return new Opened(order.id());
		}

		@OnMessage
		@Mutex(value = "order", key = "#order.id()", owner = "#session.id", mode = Mode.RELEASE)
		void done(Done order) {
			this.open.remove(order.id());
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.open.forEach((id) -> this.limits.get("order").releaseAsync(id, id()));
		}

		record Open(String id) {

		}

		record Done(String id) {

		}

		record Opened(String opened) {

		}

	}

	static class Load {

		private final ThrottlingManager limits;

		Load(ThrottlingManager limits) {
			this.limits = limits;
		}

		void relax() {
			this.limits.addOrUpdate("heat", Limit.slidingLog(20, Duration.ofMinutes(1)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ OrderController.class, Bookings.class, Desk.class, OrderDesk.class })
	static class Application {

		@Bean
		SettableClock clock() {
			return new SettableClock();
		}

		@Bean
		SequentialLeveledTaskExecutor users(@Qualifier("applicationTaskExecutor") Executor workers) {
			return SequentialLeveledTaskExecutor.builder(workers).build();
		}

	}

}
