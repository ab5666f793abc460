package dev.sluice.sample;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an operator can do on the dashboard, whom names are shown. */
@Tag("browser")
@Tag("full")
class DashboardOperationsTests {

	private static final Queue<String> TOKENS = new ConcurrentLinkedQueue<>();

	private static Browser browser;

	private static ConfigurableApplicationContext application;

	private static int port;

	private static ThrottlingManager limits;

	private static WebSocketSessionManager sessions;

	@BeforeAll
	static void start() {
		browser = new Browser();
		application = new SpringApplicationBuilder(BankApplication.class, Tokens.class).run("--server.port=0",
				"--management.endpoints.web.exposure.include=throttling,sluice",
				"--management.endpoint.throttling.access=unrestricted",
				"--management.endpoint.throttling.show-keys=always", "--management.endpoint.sluice.access=read-only");
		port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		limits = application.getBean(ThrottlingManager.class);
		sessions = application.getBean(WebSocketSessionManager.class);
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
		browser.open("http://localhost:" + port + "/actuator/sluice").awaitText("#status", "Live");
		browser.driver().manage().addCookie(new Cookie("XSRF-TOKEN", "secret"));
		TOKENS.clear();
	}

	@AfterEach
	void eachChangeHadTheToken() {
		assertThat(TOKENS).isNotEmpty().allMatch("secret"::equals);
		assertThat(browser.consoleErrors()).isEmpty();
	}

	@Test
	void anOwnerIsReleasedWhenThatIsConfirmed() {
		limits.addOrUpdate("nightly-export", Limit.mutex());
		limits.tryAcquire(AcquireRequest.of("nightly-export", "a&b").owner("batch 7"));
		String export = "[data-name=nightly-export] ";
		browser.awaitText(export + "td:nth-child(2)", "batch 7");
		press(export + "td", "Release");
		browser.awaitText("#question", "Release the permits of batch 7 for nightly-export? Its work continues.");
		browser.click("#confirm [value=no]");
		press(export + "td", "Release");
		assertThat(limits.get("nightly-export").snapshot(0).held()).isEqualTo(1);
		browser.click("#confirm [value=yes]").awaitText(export + "output", "Released");
		assertThat(limits.get("nightly-export").snapshot(0).held()).isZero();
		browser.awaitText(export + "[data-value=held]", "0");
	}

	@Test
	void aKeyIsForgottenWhenThatIsConfirmed() {
		limits.addOrUpdate("reports", Limit.fixedWindow(1, Duration.ofDays(1))).tryAcquire("tenant-7");
		String reports = "[data-name=reports] ";
		press(reports + "td", "Forget");
		browser.click("#confirm [value=yes]").awaitText(reports + "output", "Forgotten");
		assertThat(limits.get("reports").state("tenant-7").used()).isZero();
	}

	@Test
	void aSessionIsPausedResumedAndClosed() {
		BankClient customer = new BankClient(port);
		String id = id();
		browser.type("#operate [name=id]", id).click("#operate [value=pause]");
		browser.awaitText("#operate output", "Paused " + id);
		customer.deposit(1);
		browser.awaitText("[data-name=inbound] td:nth-child(2)", "paused");
		press("[data-name=inbound] td", "Resume");
		browser.awaitText("#operate output", "Resumed " + id);
		assertThat(customer.receive(1)).singleElement().asString().contains("receipt");
		browser.click("#operate [value=close]").awaitText("#question", "Close the session " + id + "?");
		assertThat(sessions.count()).isEqualTo(1);
		browser.click("#confirm [value=yes]").awaitText("#operate output", "Closing " + id);
		await().until(() -> sessions.count() == 0);
	}

	/** What an operator starts is not shown as done. */
	@Test
	void aPausedSessionIsDrained() {
		BankClient customer = new BankClient(port);
		String id = id();
		browser.type("#operate [name=id]", id).click("#operate [value=pause]");
		browser.awaitText("#operate output", "Paused " + id);
		customer.deposit(1);
		browser.click("#operate [value=drain]").awaitText("#operate output", "Draining " + id);
		assertThat(customer.receive(1)).singleElement().asString().contains("receipt");
		browser.click("#operate [value=close]").click("#confirm [value=yes]");
		browser.awaitText("#operate output", "Closing " + id);
		await().until(() -> sessions.count() == 0);
	}

	@Test
	void aLimitIsDefinedAndRemoved() {
		browser.driver().findElement(By.cssSelector("#define select")).sendKeys("token-bucket");
		browser.type("#define [name=name]", "tenant-7")
			.type("#define [name=limit]", "5")
			.type("#define [name=period]", "1m")
			.type("#define [name=capacity]", "9");
		assertThat(browser.driver().findElement(By.cssSelector("#define [name=buckets]")).isDisplayed()).isFalse();
		browser.click("#define button").awaitText("#define output", "Defined tenant-7");
		assertThat(limits.get("tenant-7").limit()).isEqualTo(Limit.tokenBucket(9, 5, Duration.ofMinutes(1)));
		String tenant = "[data-name=tenant-7] ";
		browser.awaitText(tenant + "h3 small", "token-bucket, 5 per 1m");
		browser.click(tenant + "[value=remove]").click("#confirm [value=yes]");
		await().until(() -> limits.find("tenant-7").isEmpty());
		browser.awaitTexts(tenant, 0);
	}

	@Test
	void theTurnOfWorkersIsChanged() {
		SequentialLeveledTaskExecutor inbound = application.getBean("sluiceInbound",
				SequentialLeveledTaskExecutor.class);
		browser.type("[data-name=inbound] [name=maxTasksBeforeYield]", "3").click("[data-name=inbound] form button");
		browser.awaitText("[data-name=inbound] output", "Changed");
		assertThat(inbound.maxTasksBeforeYield()).isEqualTo(3);
	}

	private static String id() {
		return await().until(() -> sessions.find(ManagedSession.class, (session) -> true), (open) -> open.size() == 1)
			.get(0)
			.id();
	}

	/** Presses the button of a name, wherever among the elements it is. */
	private static void press(String selector, String name) {
		await().ignoreExceptions()
			.untilAsserted(() -> browser.driver()
				.findElements(By.cssSelector(selector + " button"))
				.stream()
				.filter((button) -> button.getText().equals(name))
				.findFirst()
				.orElseThrow()
				.click());
	}

	/** Keeps the token that each change has. */
	@Configuration(proxyBeanMethods = false)
	static class Tokens {

		@Bean
		Filter tokens() {
			return (request, response, chain) -> {
				if (request instanceof HttpServletRequest change
						&& Stream.of("POST", "DELETE").anyMatch(change.getMethod()::equals)) {
					TOKENS.add(String.valueOf(change.getHeader("X-XSRF-TOKEN")));
				}
				chain.doFilter(request, response);
			};
		}

	}

}
