package dev.sluice.sample;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The page, as a person with a browser meets it. */
@Tag("browser")
class PageTests {

	private static Browser browser;

	private ConfigurableApplicationContext application;

	@BeforeAll
	static void startBrowser() {
		browser = new Browser();
	}

	@AfterAll
	static void closeBrowser() {
		browser.close();
	}

	@BeforeEach
	void open() {
		this.application = new SpringApplicationBuilder(BankApplication.class).run("--server.port=0",
				"--sluice.throttles.commands.period=1h", "--sluice.throttles.orders.period=10s");
		browser.open("http://localhost:" + this.application.getEnvironment().getProperty("local.server.port"));
		browser.click("#connect").awaitText("#status", "Online");
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void theAccountIsKeptInOrder() {
		click("withdraw", "50").click("deposit", "100").click("withdraw", "150").click("withdraw", "1");
		browser.awaitText("#frames .error", (text) -> text.endsWith("\"balance\":0}"));
		assertThat(browser.texts("#frames .receipt, #frames .error")).map((frame) -> frame.replaceAll(".*:", ""))
			.containsExactly("50}", "150}", "0}", "0}");
		assertThat(browser.text("#balance")).isEqualTo("0");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void aBurstIsAnsweredInItsPlaceAndTheConnectionLivesOn() {
		browser.click("#burst").awaitTexts("#frames .receipt, #frames .throttled", 20);
		List<String> answers = browser.texts("#frames .receipt, #frames .throttled");
		assertThat(answers.subList(0, 10)).allMatch((answer) -> answer.contains("receipt"));
		assertThat(answers.subList(10, 20)).allMatch((answer) -> answer.contains("retryAfter"));
		assertThat(browser.text("#status")).isEqualTo("Online");
		browser.awaitText("#limits", (text) -> text.contains("10 admitted, 10 rejected"));
		assertThat(browser.consoleErrors()).isEmpty();
	}

	/**
	 * The boss passes what waits: his order is the last of 21, and is not served last.
	 */
	@Test
	void theBossIsServedBeforeTheBacklogOfHisTable() {
		browser.click("#rush").awaitText("#rush-served", "21");
		assertThat(Integer.parseInt(browser.text("#rush-before"))).isLessThan(20);
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void aNoisyTableIsToldToWaitAndTheQuietOneIsServed() {
		browser.click("#noise").awaitText("#noisy-throttled", (text) -> text.matches("\\d+"));
		int served = Integer.parseInt(browser.text("#quiet-served"));
		browser.awaitText("#quiet-served", (text) -> Integer.parseInt(text) > served + 2);
		browser.click("#noise");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void aServerThatStopsSaysSo() {
		assertThat(browser.text("#banner")).isEmpty();
		this.application.close();
		browser.awaitText("#banner", (text) -> text.contains("going away"));
		browser.awaitText("#status", "Offline");
		assertThat(browser.texts("#frames .note")).last().isEqualTo("disconnected, code 1001");
	}

	private PageTests click(String command, String amount) {
		browser.type("#amount", amount).click("[value=" + command + "]");
		return this;
	}

}
