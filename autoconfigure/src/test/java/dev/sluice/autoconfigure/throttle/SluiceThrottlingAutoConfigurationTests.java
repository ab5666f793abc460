package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.properties.InvalidConfigurationFailureAnalyzer;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceThrottlingAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class));

	@Test
	void propertiesDefineLimits() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.commands.limit=10", "sluice.throttles.commands.period=1s",
					"sluice.throttles.exports.type=semaphore", "sluice.throttles.exports.limit=3",
					"sluice.throttles.[my.api].type=mutex")
			.run((context) -> {
				ThrottlingManager manager = context.getBean(ThrottlingManager.class);
				assertThat(manager.throttles()).extracting(Throttle::resource)
					.containsExactlyInAnyOrder("commands", "exports", "my.api");
				assertThat(manager.get("commands").limit()).isEqualTo(Limit.slidingLog(10, Duration.ofSeconds(1)));
				assertThat(manager.get("exports").limit()).isEqualTo(Limit.semaphore(3));
				assertThat(manager.get("my.api").limit()).isEqualTo(Limit.mutex());
			});
	}

	@Test
	void propertiesDefineLimitsOfEveryType() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.reports.type=fixed-window", "sluice.throttles.reports.limit=100",
					"sluice.throttles.reports.period=1h", "sluice.throttles.dropbox.type=sliding-window",
					"sluice.throttles.dropbox.limit=4", "sluice.throttles.dropbox.period=1h",
					"sluice.throttles.dropbox.buckets=3", "sluice.throttles.quotes.type=token-bucket",
					"sluice.throttles.quotes.limit=10", "sluice.throttles.quotes.period=1s",
					"sluice.throttles.quotes.capacity=20", "sluice.throttles.tenants.type=dynamic-window",
					"sluice.throttles.tenants.capacity=20", "sluice.throttles.tenants.min-limit=2",
					"sluice.throttles.tenants.max-limit=9", "sluice.throttles.tenants.period=1m",
					"sluice.throttles.tenants.buckets=6")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).throttles())
				.extracting(Throttle::limit)
				.containsExactlyInAnyOrder(Limit.fixedWindow(100, Duration.ofHours(1)),
						Limit.slidingWindow(4, Duration.ofHours(1), 3),
						Limit.tokenBucket(20, 10, Duration.ofSeconds(1)),
						Limit.dynamicWindow(20, 2, 9, Duration.ofMinutes(1), 6)));
	}

	@Test
	void dynamicWindowHasItsDefaults() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.tenants.type=dynamic-window", "sluice.throttles.tenants.capacity=20",
					"sluice.throttles.tenants.period=1m", "sluice.throttles.tenants.buckets=6",
					"sluice.throttles.tenants.at-max-keys=reject-new-keys")
			.run((context) -> {
				Throttle tenants = context.getBean(ThrottlingManager.class).get("tenants");
				assertThat(tenants.limit()).isEqualTo(Limit.dynamicWindow(20, 1, 20, Duration.ofMinutes(1), 6));
				assertThat(tenants.limit().defaultMaxKeys()).isEqualTo(1000);
			});
	}

	@Test
	void propertiesSetTheOptionsOfEveryType() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.order.type=mutex", "sluice.throttles.order.dry-run=true",
					"sluice.throttles.order.max-keys=7", "sluice.throttles.order.at-max-keys=reject-new-keys",
					"sluice.throttles.order.max-waiting=8", "sluice.throttles.order.failure-policy=open",
					"sluice.throttles.order.lease=5s")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).get("order").options())
				.isEqualTo(LimitOptions.builder()
					.dryRun(true)
					.maxKeys(7)
					.atMaxKeys(AtMaxKeys.REJECT_NEW_KEYS)
					.maxWaiting(8)
					.failurePolicy(FailurePolicy.OPEN)
					.lease(Duration.ofSeconds(5))
					.build()));
	}

	@Test
	void optionsThatAreNotSetHaveTheDefaultsOfCode() {
		this.contextRunner.withPropertyValues("sluice.throttles.order.type=mutex")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).get("order").options())
				.isEqualTo(LimitOptions.defaults()));
	}

	@Test
	void withoutPropertiesThereIsNoLimit() {
		this.contextRunner.run((context) -> assertThat(context.getBean(ThrottlingManager.class).throttles()).isEmpty());
	}

	@Test
	void customizerDefinesLimitsAndPropertiesWin() {
		this.contextRunner.withBean(ThrottlingManagerCustomizer.class, () -> (manager) -> {
			manager.addOrUpdate("code", Limit.semaphore(1));
			manager.addOrUpdate("both", Limit.semaphore(1));
		})
			.withPropertyValues("sluice.throttles.both.type=semaphore", "sluice.throttles.both.limit=2")
			.run((context) -> {
				ThrottlingManager manager = context.getBean(ThrottlingManager.class);
				assertThat(manager.get("code").limit()).isEqualTo(Limit.semaphore(1));
				assertThat(manager.get("both").limit()).isEqualTo(Limit.semaphore(2));
			});
	}

	@Test
	void templateTakesPermitsOfTheLimits() {
		this.contextRunner.withPropertyValues("sluice.throttles.order.type=mutex").run((context) -> {
			AcquireRequest order = AcquireRequest.of("order");
			ThrottlingTemplate template = context.getBean(ThrottlingTemplate.class);
			assertThat(template.<String, RuntimeException>call(
					() -> template.call(() -> "inner", (rejection) -> "rejected", order), order))
				.isEqualTo("rejected");
		});
	}

	@Test
	void whenUserDefinesManagerThenItIsUsed() {
		ThrottlingManager own = ThrottlingManager.builder().build();
		this.contextRunner.withBean(ThrottlingManager.class, () -> own)
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class)).isSameAs(own));
	}

	@Test
	void whenSwitchedOffThenThereIsNoManager() {
		this.contextRunner.withPropertyValues("sluice.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ThrottlingManager.class));
	}

	@Test
	void whenAnOptionIsMissingThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.commands.period' is missing: type sliding-log needs it",
				"sluice.throttles.commands.limit=10");
	}

	@Test
	void whenAnOptionIsNotOneOfTheTypeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.exports.period' is no option of type semaphore",
				"sluice.throttles.exports.type=semaphore", "sluice.throttles.exports.limit=3",
				"sluice.throttles.exports.period=1s");
	}

	@Test
	void whenTheShareOfAKeyIsImpossibleThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.tenants.min-limit' must be at most 'capacity', 20: 21",
				"sluice.throttles.tenants.type=dynamic-window", "sluice.throttles.tenants.capacity=20",
				"sluice.throttles.tenants.period=1m", "sluice.throttles.tenants.buckets=6",
				"sluice.throttles.tenants.min-limit=21");
		assertAnalysis("Property 'sluice.throttles.tenants.max-limit' must be greater than 0: 0",
				"sluice.throttles.tenants.type=dynamic-window", "sluice.throttles.tenants.capacity=20",
				"sluice.throttles.tenants.period=1m", "sluice.throttles.tenants.buckets=6",
				"sluice.throttles.tenants.max-limit=0");
	}

	@Test
	void whenAnOptionIsOutOfRangeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.commands.limit' must be greater than 0: 0",
				"sluice.throttles.commands.limit=0", "sluice.throttles.commands.period=1s");
	}

	@Test
	void whenARateHasALeaseThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.commands.lease' is no option of type sliding-log",
				"sluice.throttles.commands.limit=1", "sluice.throttles.commands.period=1s",
				"sluice.throttles.commands.lease=5s");
	}

	@Test
	void whenASemaphoreHasABatchThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.reports.batch' is no option of type semaphore",
				"sluice.throttles.reports.type=semaphore", "sluice.throttles.reports.limit=3",
				"sluice.throttles.reports.batch=2");
	}

	@Test
	void whenABatchIsOutOfRangeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.commands.batch' is out of range: 0",
				"sluice.throttles.commands.limit=1", "sluice.throttles.commands.period=1s",
				"sluice.throttles.commands.batch=0");
	}

	@Test
	void whenALeaseIsOutOfRangeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.order.lease' is out of range: PT0S",
				"sluice.throttles.order.type=mutex", "sluice.throttles.order.lease=0s");
	}

	@Test
	void whenTheNumberOfKeysIsOutOfRangeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.order.max-keys' is out of range: 0",
				"sluice.throttles.order.type=mutex", "sluice.throttles.order.max-keys=0");
	}

	@Test
	void whenTheLengthOfTheLineIsOutOfRangeThenTheAnalysisNamesIt() {
		assertAnalysis("Property 'sluice.throttles.[my.api].max-waiting' is out of range: 0",
				"sluice.throttles.[my.api].type=mutex", "sluice.throttles.[my.api].max-waiting=0");
	}

	@Test
	void whenAPropertyIsUnknownThenTheStartFailsAndNamesIt() {
		this.contextRunner
			.withPropertyValues("sluice.throttles.commands.limit=10", "sluice.throttles.commands.period=1s",
					"sluice.throttles.commands.perod=2s")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("sluice.throttles.commands.perod"));
	}

	@Test
	void variableChangesALimitThatIsDefined() {
		withVariables("SLUICE_THROTTLES_COMMANDS_LIMIT=20")
			.withPropertyValues("sluice.throttles.commands.limit=10", "sluice.throttles.commands.period=1s")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).get("commands").limit())
				.isEqualTo(Limit.slidingLog(20, Duration.ofSeconds(1))));
	}

	@Test
	void variablesMayDefineALimit() {
		withVariables("SLUICE_THROTTLES_COMMANDS_LIMIT=20", "SLUICE_THROTTLES_COMMANDS_PERIOD=1s")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).get("commands").limit())
				.isEqualTo(Limit.slidingLog(20, Duration.ofSeconds(1))));
	}

	@ParameterizedTest
	@CsvSource({ "SLUICE_THROTTLES_COMANDS_LIMIT, comands, commands", "SLUICE_THROTTLES_MYAPI_LIMIT, myapi, my-api",
			"SLUICE_THROTTLES_EXPORT_LIMIT, export, exports", "SLUICE_THROTTLES_MY_APPI_LIMIT, my-appi, my-api",
			"SLUICE_THROTTLES_MY_APPI_MAX_LIMIT, my-appi, my-api" })
	void whenAVariableIsForAnUndefinedLimitThenTheAnalysisNamesTheNearest(String variable, String name,
			String nearest) {
		withVariables(variable + "=20")
			.withBean(ThrottlingManagerCustomizer.class,
					() -> (manager) -> manager.addOrUpdate("exports", Limit.semaphore(3)))
			.withPropertyValues("sluice.throttles.commands.limit=10", "sluice.throttles.commands.period=1s",
					"sluice.throttles.my-api.type=mutex")
			.run((context) -> {
				FailureAnalysis analysis = analysis(context);
				assertThat(analysis.getDescription()).startsWith("Environment variable '" + variable
						+ "' is for the limit '" + name + "', which is not defined");
				assertThat(analysis.getAction()).startsWith("Did you mean '" + nearest + "'? Correct the variable");
			});
	}

	@ParameterizedTest
	@CsvSource({ "SLUICE_THROTTLES_MY_API_LIMIT, my-api", "sluice_throttles_my_api_limit, '[my.api]'",
			"SLUICE_THROTTLES_A_B_C_LIMIT, '[a.b-c]'" })
	void variableChangesALimitWhoseNameHasOtherSigns(String variable, String name) {
		withVariables(variable + "=20", "SLUICE_THROTTLES_MY_API_LIMITS=30")
			.withPropertyValues("sluice.throttles." + name + ".limit=10", "sluice.throttles." + name + ".period=1s")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).throttles()).singleElement()
				.extracting(Throttle::limit)
				.isEqualTo(Limit.slidingLog(20, Duration.ofSeconds(1))));
	}

	@ParameterizedTest
	@CsvSource({ "SLUICE_THROTTLES_MY_API_MAX_KEYS", "SLUICE_THROTTLES_MY_API_MAXKEYS" })
	void optionsMayBeWrittenWithUnderscoresOrWithout(String variable) {
		withVariables(variable + "=20").withPropertyValues("sluice.throttles.my-api.type=mutex")
			.run((context) -> assertThat(
					context.getBean(ThrottlingManager.class).get("my-api").options().maxKeys(Limit.mutex()))
				.isEqualTo(20));
	}

	@Test
	void whatComesBeforeVariablesWins() {
		withVariables("SLUICE_THROTTLES_MY_API_LIMIT=20")
			.withInitializer((context) -> TestPropertyValues.of("sluice.throttles.my-api.limit=30")
				.applyTo(context.getEnvironment(), TestPropertyValues.Type.MAP, "arguments"))
			.withPropertyValues("sluice.throttles.my-api.type=semaphore")
			.run((context) -> assertThat(context.getBean(ThrottlingManager.class).get("my-api").limit())
				.isEqualTo(Limit.semaphore(30)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "SLUICE_EXECUTION_WORKRS=20", "SLUICE_PORT=tcp://10.0.0.1:8080" })
	void variableThatIsForNoPropertyIsIgnored(String variable) {
		withVariables(variable).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void variableThatMayMeanTwoLimitsIsAMistake() {
		withVariables("SLUICE_THROTTLES_MY_API_LIMIT=20")
			.withPropertyValues("sluice.throttles.my-api.type=mutex", "sluice.throttles.[my.api].type=mutex")
			.run((context) -> assertThat(analysis(context).getDescription())
				.isEqualTo("Environment variable 'SLUICE_THROTTLES_MY_API_LIMIT' may be for 'limit' of the limit "
						+ "'my-api' or 'limit' of the limit 'my.api'"));
	}

	@Test
	void timeOfAVariableNeedsAUnit() {
		withVariables("SLUICE_THROTTLES_MY_API_PERIOD=10").withPropertyValues("sluice.throttles.my-api.limit=10")
			.run((context) -> assertThat(analysis(context).getDescription())
				.isEqualTo("Environment variable 'SLUICE_THROTTLES_MY_API_PERIOD' has no unit: 10"));
	}

	private ApplicationContextRunner withVariables(String... pairs) {
		return this.contextRunner.withInitializer((context) -> TestPropertyValues.of(pairs)
			.applyTo(context.getEnvironment(), TestPropertyValues.Type.SYSTEM_ENVIRONMENT, "test-systemEnvironment"));
	}

	private void assertAnalysis(String description, String... properties) {
		this.contextRunner.withPropertyValues(properties).run((context) -> {
			FailureAnalysis analysis = analysis(context);
			assertThat(analysis.getDescription()).isEqualTo(description);
			assertThat(analysis.getAction()).contains(description.split("'")[1]);
		});
	}

	private static FailureAnalysis analysis(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		FailureAnalysis analysis = new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure());
		assertThat(analysis).isNotNull();
		return analysis;
	}

}
