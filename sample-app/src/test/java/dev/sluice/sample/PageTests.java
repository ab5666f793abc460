package dev.sluice.sample;

import java.util.List;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
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
				"--sluice.throttles.commands.period=1h", "--sluice.throttles.orders.period=10s",
				"--sluice.websocket.shutdown-timeout=2s");
		browser.open(address());
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

	@Test
	void aPageThatIsLoadedAgainHasItsAccountAndItsMessages() {
		browser.click("#write").awaitTexts("#board p", 1);
		click("withdraw", "30");
		browser.awaitText("#balance", "70").reload().awaitText("#status", "Online").awaitText("#balance", "70");
		assertThat(browser.texts("#board p")).hasSize(1);
		publish("Meanwhile");
		browser.awaitTexts("#board p", 2);
		click("withdraw", "20");
		browser.awaitText("#balance", "50");
		assertThat(browser.texts("#frames .note")).containsExactly("connected", "connected");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	/** In a browser of its own, whose pages stay hidden afterwards. */
	@Test
	@Tag("full")
	void aPageThatWasSuspendedHasItsAccountAndWhatItMissed() {
		try (Browser laptop = new Browser()) {
			laptop.open(address()).click("#connect").click("#write").awaitTexts("#board p", 1);
			laptop.type("#amount", "30").click("[value=withdraw]").awaitText("#balance", "70");
			laptop.suspend();
			WebSocketSessionManager sessions = this.application.getBean(WebSocketSessionManager.class);
			sessions.find(ManagedSession.class, ManagedSession::isOpen).forEach(ManagedSession::abort);
			publish("Lights are out");
			laptop.wake().awaitTexts("#board p", 2).awaitText("#status", "Online").awaitText("#balance", "70");
			assertThat(laptop.texts("#board p")).last().asString().endsWith("Lights are out");
			laptop.type("#amount", "20").click("[value=withdraw]").awaitText("#balance", "50");
		}
	}

	private String address() {
		return "http://localhost:" + this.application.getEnvironment().getProperty("local.server.port");
	}

	private void publish(String text) {
		this.application.getBean(SessionCluster.class)
			.topic(BoardSession.TOPIC)
			.publish(new BoardSession.Line("line", "kitchen", text))
			.join();
	}

	private PageTests click(String command, String amount) {
		browser.type("#amount", amount).click("[value=" + command + "]");
		return this;
	}

}
