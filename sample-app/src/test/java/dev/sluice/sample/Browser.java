package dev.sluice.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.stream.Stream;

import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A headless Chromium with an empty profile of its own, driven through the system's
 * {@code chromedriver}. It goes nowhere but to the addresses that it is given. Where the
 * two programs are missing, it cannot be made, and says what to install.
 */
final class Browser implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final Path profile;

	private final ChromeDriver driver;

	private final List<String> errors = new ArrayList<>();

	Browser() {
		Path chromium = find("chromium", "chromium-browser", "google-chrome");
		Path driver = find("chromedriver");
		try {
			this.profile = Files.createTempDirectory("browser");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.toFile());
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
				"--user-data-dir=" + this.profile);
		LoggingPreferences logging = new LoggingPreferences();
		logging.enable(LogType.BROWSER, Level.ALL);
		options.setCapability(ChromeOptions.LOGGING_PREFS, logging);
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile())
			.usingAnyFreePort()
			.withTimeout(Duration.ofMinutes(1))
			.build();
		this.driver = new ChromeDriver(service, options);
	}

	/** The driver itself, for what has no method here. */
	ChromeDriver driver() {
		return this.driver;
	}

	/** Goes to a page, and forgets what the one before wrote to the console. */
	Browser open(String address) {
		this.driver.get("about:blank");
		consoleErrors().clear();
		this.driver.get(address);
		return this;
	}

	/** Loads the page again. */
	Browser reload() {
		this.driver.navigate().refresh();
		return this;
	}

	/** Suspends the page, as a laptop does whose lid is closed; its scripts stop. */
	Browser suspend() {
		this.driver.executeCdpCommand("Page.setWebLifecycleState", Map.of("state", "frozen"));
		return this;
	}

	/** Lets a page that was suspended go on. */
	Browser wake() {
		this.driver.executeCdpCommand("Page.setWebLifecycleState", Map.of("state", "active"));
		return this;
	}

	Browser size(int width, int height) {
		this.driver.manage().window().setSize(new Dimension(width, height));
		return this;
	}

	/** Waits until an element can be clicked, and clicks it. */
	Browser click(String selector) {
		await().atMost(PATIENCE).ignoreExceptions().until(() -> element(selector).isEnabled());
		element(selector).click();
		return this;
	}

	/**
	 * Puts a value in the place of what a field has, by keys alone: the page does not
	 * take it for typed when the driver clears a field, and may fill it again.
	 */
	Browser type(String selector, String value) {
		element(selector).sendKeys(Keys.chord(Keys.CONTROL, "a"), value);
		return this;
	}

	/** The text of an element, as it is shown; empty while it is hidden. */
	String text(String selector) {
		return element(selector).getText();
	}

	/** The texts of all elements that there are. */
	List<String> texts(String selector) {
		return this.driver.findElements(By.cssSelector(selector))
			.stream()
			.map((found) -> String.valueOf(found.getDomProperty("textContent")))
			.toList();
	}

	Browser awaitText(String selector, String text) {
		return awaitText(selector, text::equals);
	}

	Browser awaitText(String selector, Predicate<String> condition) {
		await().atMost(PATIENCE)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(text(selector)).as(selector).matches(condition, "the expected text"));
		return this;
	}

	/** Waits until there are so many elements. */
	Browser awaitTexts(String selector, int count) {
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(texts(selector)).as(selector).hasSize(count));
		return this;
	}

	/** Keeps what is seen now, as a PNG. */
	Browser screenshot(Path file) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return this;
	}

	/**
	 * What the page has written to the console as errors so far, failed loads included.
	 */
	List<String> consoleErrors() {
		this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
			.map(LogEntry::getMessage)
			.forEach(this.errors::add);
		return this.errors;
	}

	private WebElement element(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	@Override
	public void close() {
		try {
			this.driver.quit();
		}
		finally {
			FileSystemUtils.deleteRecursively(this.profile.toFile());
		}
	}

	private static Path find(String... names) {
		return Stream.of(System.getenv("PATH").split(":"))
			.flatMap((directory) -> Stream.of(names).map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no " + names[0]
					+ " on the PATH. This test drives a real browser; install it: apt-get install chromium chromium-driver"));
	}

}
