package dev.sluice.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/** The dashboard, as an operator with a browser meets it. */
@Tag("browser")
class DashboardTests {

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static Browser browser;

	private static ConfigurableApplicationContext application;

	private static int port;

	@BeforeAll
	static void start() {
		browser = new Browser();
		application = new SpringApplicationBuilder(BankApplication.class, Letters.class, Lasting.class).run(
				"--server.port=0", "--sluice.batches.letters.batch-size=3", "--sluice.batches.letters.push-interval=1h",
				"--management.endpoints.web.exposure.include=throttling,sluice",
				"--management.endpoint.throttling.access=unrestricted",
				"--management.endpoint.sluice.access=read-only");
		port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		ThrottlingManager limits = application.getBean(ThrottlingManager.class);
		limits.addOrUpdate("tenants", Limit.dynamicWindow(20, 2, 20, Duration.ofMinutes(1), 6));
		limits.addOrUpdate("nightly-export", Limit.mutex());
		limits.tryAcquire(AcquireRequest.of("nightly-export", "").owner("batch-7"));
	}

	@AfterAll
	static void stop() {
		try {
			browser.close();
		}
		finally {
			application.close();
		}
	}

	@BeforeEach
	void open() {
		application.getBean(ThrottlingManager.class)
			.addOrUpdate("commands", Limit.slidingLog(10, Duration.ofSeconds(1)));
		browser.open("http://localhost:" + port + "/actuator/sluice").awaitText("#status", "Live");
	}

	@Tag("full")
	@Test
	void numbersMoveUnderLoad() {
		try (BankClient customer = new BankClient(port)) {
			browser.awaitText("#sessions", "Open sessions: 1");
			for (int i = 0; i < 3; i++) {
				awaitUnderLoad(customer, "[data-name=inbound] [data-value=rate]");
				browser.awaitText("[data-name=inbound] [data-value=rate]", "0");
			}
			browser.awaitText("[data-name=commands] tbody", (text) -> text.startsWith("******"));
			browser.awaitText("[data-name=nightly-export] [data-value=held]", "1");
		}
		browser.awaitText("#sessions", "Open sessions: 0");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void aChangedLimitTakesEffectAtTheNextRequest() {
		browser.awaitText("[data-name=commands] h3 small", "sliding-log, 10 per 1s");
		browser.type("[data-name=commands] [name=period]", "1h");
		browser.type("[data-name=commands] [name=limit]", "3");
		browser.driver().findElement(By.cssSelector("[data-name=commands] [name=limit]")).sendKeys(Keys.ENTER);
		browser.awaitText("[data-name=commands] output", "Changed");
		browser.awaitText("[data-name=commands] h3 small", "sliding-log, 3 per 1h");
		try (BankClient customer = new BankClient(port)) {
			Stream.generate(() -> 1).limit(5).forEach(customer::deposit);
			List<String> answers = customer.receive(5);
			assertThat(answers.subList(0, 3)).allMatch((answer) -> answer.contains("receipt"));
			assertThat(answers.subList(3, 5)).allMatch((answer) -> answer.contains("throttled"));
		}
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void everyFieldOfALimitCanBeChanged() {
		String tenants = "[data-name=tenants] ";
		browser.awaitText(tenants + "h3 small", "dynamic-window, 2 to 20 of 20 per 1m");
		Map.of("capacity", "40", "minLimit", "4", "maxLimit", "30", "period", "30s", "buckets", "3")
			.forEach((field, value) -> browser.type(tenants + "[name=" + field + "]", value));
		browser.driver().findElement(By.cssSelector(tenants + "[name=dryRun]")).sendKeys(Keys.SPACE);
		browser.driver().findElement(By.cssSelector(tenants + "[name=capacity]")).sendKeys(Keys.ENTER);
		browser.awaitText(tenants + "output", "Changed");
		browser.awaitText(tenants + "h3 small", "dynamic-window, 4 to 30 of 40 per 30s, dry run");
		Throttle changed = application.getBean(ThrottlingManager.class).get("tenants");
		assertThat(changed.limit()).isEqualTo(Limit.dynamicWindow(40, 4, 30, Duration.ofSeconds(30), 3));
		assertThat(changed.options().dryRun()).isTrue();
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void aBatchShowsWhatWaitsAndWhatWasLost() {
		String letters = "[data-name=letters] ";
		browser.awaitText(letters + "h3", (text) -> text.startsWith("letters"));
		BatchConsumer<String> consumer = letters();
		for (String letter : List.of("a", "b", "c", "broken", "e", "f", "g", "h")) {
			consumer.push(letter, 0);
		}
		browser.awaitText(letters + "h3 small", "batches: 1, retries: 0");
		browser.awaitText(letters + "[data-value=waiting]", "2");
		browser.awaitText(letters + "[data-value=inFlight]", "0");
		browser.awaitText(letters + "[data-value=lost]", "3");
		browser.awaitText(letters + "tbody", "0 2 0");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@SuppressWarnings("unchecked")
	private static BatchConsumer<String> letters() {
		return application.getBean("sluiceBatchConsumer.letters", BatchConsumer.class);
	}

	@Test
	void theClusterIsShown() {
		SessionCluster cluster = application.getBean(SessionCluster.class);
		String node = "[data-name=node] ";
		browser.awaitText(node + "h3 small", "up, 0 other nodes");
		try (BankClient customer = new BankClient(port)) {
			customer.deposit(1);
			customer.receive(1);
			application.getBean(WebSocketSessionManager.class)
				.find(ManagedSession.class, ManagedSession::isOpen)
				.forEach((session) -> cluster.topic("room-7").join(session).join());
			browser.awaitText(node + "[data-value=members]", "1");
			browser.awaitText(node + "tbody", "****** 1 0 0.000");
			cluster.topic("room-7").publish("hello").join();
			browser.awaitText(node + "[data-value=lag]", (text) -> text.startsWith("0."));
			browser.awaitText(node + "[data-value=gaps]", "0");
		}
		browser.awaitText(node + "[data-value=topics]", "0");
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void resumesAreShownByTheirOutcome() {
		String node = "[data-name=node] ";
		BankClient customer = new BankClient(port, "/lasting");
		String session = customer.send("{\"type\":\"resume\"}").receive();
		customer.abort();
		browser.awaitText(node + "[data-value=suspended]", "1");
		try (BankClient back = new BankClient(port, "/lasting")) {
			back.send(session.replace("\"session\"", "\"resume\"")).receive();
			browser.awaitText(node + "[data-value=suspended]", "0");
			browser.awaitText(node + "[data-value=recovered]", "1");
			browser.awaitText(node + "[data-value=incomplete]", "0");
		}
		try (BankClient stranger = new BankClient(port, "/lasting")) {
			stranger.send("{\"type\":\"resume\",\"token\":\"guess\"}").receive();
			browser.awaitText(node + "[data-value=notResumed]", "1");
		}
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void theClusterIsNotShownWhileNobodyUsesIt() {
		try (ConfigurableApplicationContext alone = new SpringApplicationBuilder(NoSessions.class)
			.run("--server.port=0")) {
			browser.open("http://localhost:" + alone.getEnvironment().getRequiredProperty("local.server.port")
					+ "/actuator/sluice");
			browser.awaitText("#status", "Live").awaitText("[data-name=commands] h3 small", "sliding-log, 10 per 1s");
			assertThat(browser.driver().findElement(By.id("clustering")).isDisplayed()).isFalse();
		}
	}

	@Test
	void aMutexCanBeADryRunAndNothingElseOfItChanges() {
		String export = "[data-name=nightly-export] ";
		browser.awaitText(export + "h3 small", "mutex, 1");
		assertThat(browser.driver().findElements(By.cssSelector(export + "form input")))
			.filteredOn(WebElement::isDisplayed)
			.singleElement()
			.returns("dryRun", (input) -> input.getDomAttribute("name"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					status: 401                           | The application requires a log-in: reload this page to log in
					type: "opaqueredirect"                | The application requires a log-in: reload this page to log in
					status: 403                           | The application forbids this user to read the endpoint throttling (status 403)
					status: 404                           | The endpoint throttling is not exposed: add it to management.endpoints.web.exposure.include
					status: 500                           | The endpoint throttling answers with status 500
					status: 200, ok: true, kind: "text/html" | The answer is text/html in place of JSON: a proxy or a log-in page may have sent it
					""")
	void answerThatIsNotOfTheEndpointIsExplainedAndFormsAreOff(String answer, String text) {
		browser.driver()
			.executeScript(
					"const answer = { %s }; window.fetch = async () => ({ headers: new Headers(".formatted(answer)
							+ "{ 'Content-Type': answer.kind ?? 'application/json' }), ...answer })");
		browser.awaitText("#status", text);
		assertThat(browser.driver().executeScript("return document.querySelector('main').inert")).isEqualTo(true);
	}

	@Test
	void silenceIsShownAndRequestsDoNotPileUp() {
		browser.driver()
			.executeScript("window.calls = 0; window.fetch = () => { window.calls++; return new Promise(() => {}); }");
		browser.awaitText("#status", (text) -> text.matches("No answer since .*: the figures are old"));
		assertThat(browser.driver().executeScript("return window.calls")).isEqualTo(1L);
	}

	@Test
	void definitionOfALimitThatExistsIsConfirmedFirst() {
		browser.type("#define [name=name]", "commands")
			.type("#define [name=limit]", "1")
			.type("#define [name=period]", "1h");
		browser.driver().findElement(By.cssSelector("#define [name=limit]")).sendKeys(Keys.ENTER);
		browser.awaitText("#question", "Replace the limit commands, which is sliding-log, 10 per 1s?");
		browser.click("#confirm [value=no]");
		assertThat(application.getBean(ThrottlingManager.class).get("commands").limit())
			.isEqualTo(Limit.slidingLog(10, Duration.ofSeconds(1)));
	}

	@Test
	void onlyLimitsOfOperatorsCanBeRemoved() {
		browser.awaitText("[data-name=tenants] h3", (text) -> text.startsWith("tenants"));
		Object removable = browser.driver()
			.executeAsyncScript("const done = arguments[0]; fetch('throttling').then((it) => it.json()).then((it) => "
					+ "done(Object.entries(it.throttles).every(([name, { source }]) => (source === 'runtime') !== "
					+ "document.querySelector(`[data-name=${name}] [value=remove]`).hidden)))");
		assertThat(removable).isEqualTo(true);
	}

	@Test
	void limitWhoseNameAServerRejectsInAPathIsDefinedChangedAndRemoved() {
		ThrottlingManager limits = application.getBean(ThrottlingManager.class);
		String card = "[data-name='a/b;50%']";
		browser.type("#define [name=name]", "a/b;50%")
			.type("#define [name=limit]", "1")
			.type("#define [name=period]", "1h");
		browser.driver().findElement(By.cssSelector("#define [name=limit]")).sendKeys(Keys.ENTER);
		browser.awaitText(card + " h3", (text) -> text.contains("sliding-log, 1 per 1h"));
		browser.type(card + " [name=limit]", "2").click(card + " button[value=change]");
		browser.awaitText(card + " form output", "Changed");
		assertThat(limits.get("a/b;50%").limit()).isEqualTo(Limit.slidingLog(2, Duration.ofHours(1)));
		browser.click(card + " [value=remove]").click("#confirm [value=yes]");
		Awaitility.await().until(() -> limits.find("a/b;50%").isEmpty());
	}

	@Test
	@Tag("full")
	void changeOfALimitThatOthersHaveChangedSinceItsInputIsRejected() {
		ThrottlingManager limits = application.getBean(ThrottlingManager.class);
		limits.addOrUpdate("shared", Limit.slidingLog(5, Duration.ofHours(1)));
		browser.awaitText("[data-name=shared] h3", (text) -> text.contains("5 per 1h"));
		browser.type("[data-name=shared] [name=limit]", "6");
		limits.addOrUpdate("shared", Limit.slidingLog(7, Duration.ofHours(1)));
		browser.awaitText("[data-name=shared] h3", (text) -> text.contains("7 per 1h"));
		browser.click("[data-name=shared] button[value=change]");
		browser.awaitText("[data-name=shared] form output", (text) -> text.startsWith("'version' is 2 by now"));
		assertThat(limits.get("shared").limit()).isEqualTo(Limit.slidingLog(7, Duration.ofHours(1)));
		limits.remove("shared");
	}

	@Test
	@Tag("full")
	void definitionOfALimitThatOthersHaveDefinedInTheMeantimeIsRejected() {
		ThrottlingManager limits = application.getBean(ThrottlingManager.class);
		browser.driver()
			.executeScript("const before = window.fetch; window.fetch = (url, options) => options.method ? before(url,"
					+ " options) : new Promise(() => {})");
		limits.addOrUpdate("shared", Limit.slidingLog(7, Duration.ofHours(1)));
		browser.type("#define [name=name]", "shared")
			.type("#define [name=limit]", "1")
			.type("#define [name=period]", "1h");
		browser.driver().findElement(By.cssSelector("#define [name=limit]")).sendKeys(Keys.ENTER);
		browser.awaitText("#define output", (text) -> text.startsWith("'version' is 1 by now"));
		assertThat(limits.get("shared").limit()).isEqualTo(Limit.slidingLog(7, Duration.ofHours(1)));
		limits.remove("shared");
	}

	@Test
	@Tag("full")
	void aTurnThatOthersHaveChangedSinceItsInputIsKept() {
		SequentialLeveledTaskExecutor outbound = application.getBean("sluiceOutbound",
				SequentialLeveledTaskExecutor.class);
		browser.awaitText("[data-name=outbound] h3", (text) -> text.startsWith("outbound"));
		browser.type("[data-name=outbound] [name=maxTasksBeforeYield]", "3");
		outbound.setMaxTasksBeforeYield(7);
		browser.click("[data-name=outbound] form button");
		browser.awaitText("[data-name=outbound] output", (text) -> text.startsWith("'version' is 2 by now"));
		assertThat(outbound.maxTasksBeforeYield()).isEqualTo(7);
		outbound.setMaxTasksBeforeYield(10);
	}

	@Test
	void aChangeThatIsRejectedSaysWhy() {
		browser.type("[data-name=commands] [name=period]", "soon").click("[data-name=commands] button");
		browser.awaitText("[data-name=commands] output", "'period' must be a time such as 1s or PT1S: soon");
		browser.awaitText("[data-name=commands] h3 small", "sliding-log, 10 per 1s");
	}

	@ParameterizedTest
	@CsvSource({ "light, 1280", "dark, 1280", "light, 360", "dark, 360" })
	void everyoneCanReadIt(String scheme, int width) throws IOException {
		browser.driver()
			.executeCdpCommand("Emulation.setEmulatedMedia",
					Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		browser.driver()
			.executeCdpCommand("Emulation.setDeviceMetricsOverride",
					Map.of("width", width, "height", 1400, "deviceScaleFactor", 1, "mobile", false));
		application.getBean(ThrottlingManager.class).addOrUpdate("commands", Limit.slidingLog(10, Duration.ofHours(1)));
		try (BankClient customer = new BankClient(port)) {
			Stream.generate(() -> 1).limit(12).forEach(customer::deposit);
			customer.receive(12);
			awaitUnderLoad(customer, "[data-name=commands] [data-value=rejected]");
			browser.screenshot(SCREENSHOTS.resolve("dashboard-%s-%d.png".formatted(scheme, width)));
		}
		assertThat(browser.driver()
			.executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
			.as("horizontal scroll")
			.isEqualTo(0L);
		assertThat(findings()).isEmpty();
		assertThat(browser.consoleErrors()).isEmpty();
	}

	/** A rate is shown for a second, so there has to be a load until it is seen. */
	private static void awaitUnderLoad(BankClient customer, String selector) {
		browser.awaitText(selector, (text) -> {
			customer.deposit(1).receive();
			return Double.parseDouble(text) > 0;
		});
	}

	/** What axe finds that keeps somebody from reading or using the page. */
	private static List<?> findings() throws IOException {
		browser.driver().executeScript(new ClassPathResource("axe.min.js").getContentAsString(StandardCharsets.UTF_8));
		return (List<?>) browser.driver().executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				axe.run().then((results) => done(results.violations.flatMap((violation) =>
					violation.nodes.map((node) => `${violation.impact}: ${violation.help}: ${node.html}`))));
				""");
	}

	@EnableAutoConfiguration
	static class NoSessions {

	}

	@WebSocketEndpoint(path = "/lasting", resumable = true)
	static class Lasting extends ManagedSession {

	}

	static class Letters {

		@BatchListener("letters")
		void send(List<String> letters) {
			if (letters.contains("broken")) {
				throw new IllegalStateException("expected");
			}
		}

	}

}
