package dev.sluice.sample;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.json.JsonContent;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the endpoint tells of an application that has served two customers and no other.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.throttles.commands.period=1h")
class EndpointTests {

	@LocalServerPort
	private int port;

	@Test
	void showsWhatWasDone() {
		try (BankClient busy = new BankClient(this.port); BankClient quiet = new BankClient(this.port)) {
			IntStream.range(0, 12).forEach((i) -> busy.deposit(1));
			busy.receive(12);
			quiet.deposit(1).receive();
			await().untilAsserted(this::showsTwoCustomersAndThirteenCommands);
		}
		await().untilAsserted(() -> assertThat(endpoint()).extractingPath("$.sessions.count").isEqualTo(0));
		await().untilAsserted(() -> assertThat(endpoint()).extractingPath("$.queues.inbound.count").isEqualTo(0));
	}

	private void showsTwoCustomersAndThirteenCommands() {
		Map<String, Object> expected = new LinkedHashMap<>();
		expected.put("$.sessions.count", 2);
		expected.put("$.sessions.types.BankSession", 2);
		expected.put("$.queues.inbound.count", 2);
		// Besides the commands, three tasks open each session.
		expected.put("$.queues.inbound.completed", 2 * 3 + 13);
		expected.put("$.queues.outbound.completed", 2 + 13);
		expected.put("$.throttles.commands.source", "property");
		expected.put("$.throttles.commands.admitted", 11);
		expected.put("$.throttles.commands.rejected", 2);
		expected.put("$.throttles.commands.keys", 2);
		expected.put("$.throttles.commands.hottest[0].key", "******");
		expected.put("$.throttles.commands.hottest[0].used", 10);
		expected.put("$.throttles.commands.hottest[0].rejected", 2);
		expected.put("$.throttles.commands.hottest[1].used", 1);
		JsonContent state = endpoint();
		expected.forEach((path, value) -> assertThat(state).extractingPath(path).isEqualTo(value));
	}

	private JsonContent endpoint() {
		return new JsonContent(String.valueOf(RestClient.create("http://localhost:" + this.port)
			.get()
			.uri("/actuator/throttling")
			.retrieve()
			.body(String.class)));
	}

}
