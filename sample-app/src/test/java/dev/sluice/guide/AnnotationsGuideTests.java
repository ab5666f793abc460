package dev.sluice.guide;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.test.SettableClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What {@code docs/annotations.md} shows. */
class AnnotationsGuideTests {

	private final String page = read();

	@Test
	void limitsMethodsAsThePageSays() throws IOException {
		Properties properties = new Properties();
		properties.load(new StringReader(block("```properties\n")));
		try (ConfigurableApplicationContext application = run(properties, Reports.class, Rates.class, Batches.class)) {
			Reports reports = application.getBean(Reports.class);
			for (int i = 0; i < 10; i++) {
				assertThat(reports.quote()).isEqualTo(42);
			}
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(reports::quote);
			ThrottlingManager limits = application.getBean(ThrottlingManager.class);
			reports.send("tenant-7", List.of("a@example.org", "b@example.org"));
			assertThat(limits.get("newsletter").state("tenant-7").used()).isEqualTo(2);
			assertThat(reports.report()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
			reports.ship("o-1");
			assertThat(limits.get("order").snapshot(0).held()).isZero();
			assertThat(application.getBean(Rates.class).rate("EUR")).isEqualTo(1.2);
			assertThat(application.getBean(Rates.class).rate("EUR")).isEqualTo(1.1);
			Batches batches = application.getBean(Batches.class);
			batches.begin("b-1");
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> batches.exclusive("b-1"));
			batches.end("b-1");
			batches.exclusive("b-1");
		}
	}

	@Test
	void stopsAStartWithAMistakeAsThePageSays() {
		assertThatExceptionOfType(InvalidThrottledMethodException.class)
			.isThrownBy(() -> run(new Properties(), Undefined.class).close())
			.satisfies((mistake) -> assertThat(mistake.getMessage()
				.replace("AnnotationsGuideTests.Undefined", "Reports")
				.replace("annotationsGuideTests.Undefined", "reports") + "\n\nAction:\n\n" + mistake.action())
				.isEqualTo(block("```text\nDescription:\n\n").strip()));
	}

	@Test
	void callsInPlainCode() throws IOException {
		Properties properties = new Properties();
		properties.load(new StringReader(block("```properties\n")));
		try (ConfigurableApplicationContext application = run(properties, Plain.class)) {
			assertThat(application.getBean(Plain.class).calls()).isEqualTo("42 43");
		}
	}

	@Test
	void triesAgainAsThePageSays() {
		Properties properties = new Properties();
		properties.put("sluice.throttles.mails.limit", "1");
		properties.put("sluice.throttles.mails.period", "1m");
		try (ConfigurableApplicationContext application = run(properties, Asynchronous.class, Reminders.class)) {
			Reminders reminders = application.getBean(Reminders.class);
			reminders.remind("a@example.org");
			reminders.remind("b@example.org");
			SettableClock clock = application.getBean(SettableClock.class);
			await().until(() -> reminders.reminded().size() == 1);
			clock.advance(Duration.ofSeconds(59));
			assertThat(reminders.reminded()).containsExactly("a@example.org");
			clock.advance(Duration.ofSeconds(32));
			await().until(() -> reminders.reminded().size() == 2);
		}
	}

	@Test
	void limitsOfAnInterfaceAndOfItsMethodsBothHold() {
		Properties properties = new Properties();
		properties.put("sluice.throttles.quotes.limit", "2");
		properties.put("sluice.throttles.quotes.period", "1h");
		try (ConfigurableApplicationContext application = run(properties, Printer.class)) {
			Printing printing = application.getBean(Printing.class);
			ThrottlingManager limits = application.getBean(ThrottlingManager.class);
			Permit held = limits.get("printer").tryAcquire().permit();
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(printing::print)
				.returns("printer", ThrottledException::resource);
			held.close();
			printing.print();
			printing.print();
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(printing::print)
				.returns("quotes", ThrottledException::resource);
		}
	}

	@Test
	void namesEveryAttributeAndNoOther() {
		List<String> rows = Stream.of(Throttled.class, Semaphore.class, Mutex.class, WhenThrottled.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()).map((attribute) -> row(type, attribute)))
			.toList();
		assertThat(this.page.substring(this.page.indexOf("<!-- attributes -->"))
			.lines()
			.skip(3)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> String.join("|", List.of(line.split("\\|")).subList(1, 4)).replace(" ", "")))
			.containsExactlyInAnyOrderElementsOf(rows);
	}

	private static String row(Class<?> type, Method attribute) {
		Object defaultValue = attribute.getDefaultValue();
		String value = (defaultValue instanceof Enum<?> constant) ? constant.name()
				: String.valueOf(defaultValue).replace("null", "").replace("-1", "");
		return "`@%s`|`%s`|%s".formatted(type.getSimpleName(), attribute.getName(),
				value.isEmpty() ? "" : '`' + value + '`');
	}

	private static ConfigurableApplicationContext run(Properties properties, Class<?>... beans) {
		return new SpringApplicationBuilder(Application.class).sources(beans)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.run("--spring.config.name=none");
	}

	private String block(String begin) {
		int start = this.page.indexOf(begin) + begin.length();
		return this.page.substring(start, this.page.indexOf("```", start));
	}

	private static String read() {
		try {
			return Files.readString(Path.of("../docs/annotations.md"));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		@Bean
		SettableClock clock() {
			return new SettableClock();
		}

	}

	@Mutex("printer")
	interface Printing {

		@Throttled("quotes")
		void print();

	}

	static class Printer implements Printing {

		@Override
		public void print() {
		}

	}

	static class Undefined {

		@Throttled("quotes")
		int quote() {
			return 42;
		}

	}

	static class Rates {

		@Throttled(value = "rates", limit = 1, period = "1h")
		@WhenThrottled(fallback = "lastKnown")
		public double rate(String currency) {
			return ask(currency);
		}

		double lastKnown(String currency, ThrottledException rejection) {
			return 1.1;
		}

		private double ask(String currency) {
			return 1.2;
		}

	}

	static class Reminders {

		private final Queue<String> reminded = new ConcurrentLinkedQueue<>();

		@Async
		@Throttled("mails")
		@WhenThrottled(action = Action.RETRY, delay = "30s", maxRetries = 10)
		public void remind(String address) {
			this.reminded.add(address);
		}

		public Queue<String> reminded() {
			return this.reminded;
		}

	}

	static class Batches {

		private final Set<String> open = new HashSet<>();

		@Mutex(value = "batch", key = "#batchId", owner = "#batchId", mode = Mode.ACQUIRE)
		public void begin(String batchId) {
			this.open.add(batchId);
		}

		@Mutex(value = "batch", key = "#batchId", owner = "#batchId", mode = Mode.RELEASE)
		public void end(String batchId) {
			this.open.remove(batchId);
		}

		@Mutex(value = "batch", key = "#batchId")
		public void exclusive(String batchId) {
		}

	}

	static class Plain {

		private final ThrottlingTemplate template;

		Plain(ThrottlingTemplate template) {
			this.template = template;
		}

		String calls() {
			AcquireRequest limit = AcquireRequest.of("quotes").maxWait(Duration.ofSeconds(5));
			String quote = this.template.call(this::quote, limit);
			CompletableFuture<String> later = this.template.callAsync(this::quoteLater, limit);
			return quote + ' ' + later.join();
		}

		private String quote() {
			return "42";
		}

		private CompletableFuture<String> quoteLater() {
			return CompletableFuture.completedFuture("43");
		}

	}

}
