package dev.sluice.sample;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BankTests {

	@LocalServerPort
	private int port;

	/**
	 * Fifty at once, since one customer alone often sees the right order by luck: handed
	 * to a plain thread pool, the three commands of some customer change places.
	 */
	@Test
	void everyCustomerReadsItsBalancesInOrder() {
		List<BankClient> customers = IntStream.range(0, 50).mapToObj((i) -> new BankClient(this.port)).toList();
		customers.forEach((customer) -> customer.withdraw(50).deposit(100).withdraw(150));
		assertThat(customers).allSatisfy(
				(customer) -> assertThat(customer.receive(3)).containsExactly(receipt(50), receipt(150), receipt(0)));
		customers.forEach(BankClient::close);
	}

	@Test
	void withdrawingMoreThanThereIsLeavesTheBalanceAlone() {
		try (BankClient customer = new BankClient(this.port)) {
			customer.withdraw(50).withdraw(51).withdraw(50);
			assertThat(customer.receive(3)).containsExactly(receipt(50),
					"{\"type\":\"error\",\"reason\":\"insufficient-funds\",\"balance\":50}", receipt(0));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			~~                               | unknown-type | No handler for messages without a type
			hello                            | unreadable   | Message is not valid JSON
			{"type":"deposit","amount":1     | unreadable   | Message is not valid JSON
			{"type":"deposit","amount":1} {} | unreadable   | Message does not have the form of its type
			["deposit",1]                    | unknown-type | No handler for messages without a type
			null                             | unknown-type | No handler for messages without a type
			{}                               | unknown-type | No handler for messages without a type
			{"type":7,"amount":1}            | unknown-type | No handler for messages without a type
			{"type":"depositt","amount":1}   | unknown-type | No handler for type 'depositt'; known: deposit, withdraw
			""")
	void anythingElseIsAnsweredWithWhatIsWrongAndTheConnectionLivesOn(String message, String reason, String detail) {
		try (BankClient customer = new BankClient(this.port)) {
			customer.send(message).withdraw(50);
			assertThat(customer.receive()).startsWith(error(reason, detail));
			assertThat(customer.receive()).isEqualTo(receipt(50));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "\"100\"", "[1]", "true", "-50", "0", "0.5", "1e2", "1000001", "4294967297",
			"99999999999999999999" })
	void anAmountThatIsNoneIsAnsweredWithWhatIsWrongAndTheConnectionLivesOn(String amount) {
		try (BankClient customer = new BankClient(this.port)) {
			customer.send("{\"type\":\"deposit\",\"amount\":%s}".formatted(amount), "{\"type\":\"deposit\"}");
			assertThat(customer.receive(2)).allSatisfy((answer) -> assertThat(answer)
				.startsWith(error("unreadable", "Message does not have the form of its type")));
			assertThat(customer.withdraw(50).receive()).isEqualTo(receipt(50));
		}
	}

	@Test
	void aBinaryMessageIsAnsweredWithWhatIsWrongAndTheConnectionLivesOn() {
		try (BankClient customer = new BankClient(this.port)) {
			customer.sendBinary((byte) 1).withdraw(50);
			assertThat(customer.receive(2))
				.containsExactly(error("unknown-type", "No handler for binary messages") + "\"}", receipt(50));
		}
	}

	/** The beginning of an error, as far as its detail is given. */
	private static String error(String reason, String detail) {
		return "{\"type\":\"error\",\"reason\":\"%s\",\"detail\":\"%s".formatted(reason, detail.replace("\"", "\\\""));
	}

	private static String receipt(long balance) {
		return "{\"type\":\"receipt\",\"balance\":%d}".formatted(balance);
	}

}
