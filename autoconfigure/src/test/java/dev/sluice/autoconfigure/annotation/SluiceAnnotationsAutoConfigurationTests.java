package dev.sluice.autoconfigure.annotation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.aop.ThrottleAdvisor;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.throttle.ThrottleSource;
import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SluiceAnnotationsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluicePropertiesAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class))
		.withPropertyValues("sluice.throttles.quotes.limit=1", "sluice.throttles.quotes.period=1h");

	@Test
	void annotatedBeanMethodIsLimited() {
		this.contextRunner.withBean(Service.class).run((context) -> assertLimited(context.getBean(Service.class)));
	}

	@Test
	void annotatedBeanMethodIsLimitedWhereBootConfiguresProxies() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
			.withBean(Service.class)
			.run((context) -> assertLimited(context.getBean(Service.class)));
	}

	@Test
	void mutexNeedsNoDefinition() {
		this.contextRunner.withBean(Exclusive.class).run((context) -> {
			context.getBean(Exclusive.class).run();
			assertThat(context.getBean(ThrottlingManager.class).get("order").limit()).isEqualTo(Limit.mutex());
		});
	}

	@Test
	void limitMayBeDefinedInCode() {
		this.contextRunner.withBean(Slots.class)
			.withBean(ThrottlingManagerCustomizer.class,
					() -> (manager) -> manager.addOrUpdate("slots", Limit.semaphore(1)))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatIsSetLaterPrecedesPropertiesThenCustomizersThenAnnotations() {
		ApplicationContextRunner inline = this.contextRunner.withBean(Inline.class);
		inline.run((context) -> assertDefined(context, 1, ThrottleSource.ANNOTATION));
		ApplicationContextRunner customized = inline.withBean(ThrottlingManagerCustomizer.class,
				() -> (manager) -> manager.addOrUpdate("inline", Limit.slidingLog(2, Duration.ofHours(1))));
		customized.run((context) -> assertDefined(context, 2, ThrottleSource.CUSTOMIZER));
		customized.withPropertyValues("sluice.throttles.inline.limit=3", "sluice.throttles.inline.period=1h")
			.run((context) -> {
				assertDefined(context, 3, ThrottleSource.PROPERTY);
				context.getBean(ThrottlingManager.class)
					.addOrUpdate("inline", Limit.slidingLog(4, Duration.ofHours(1)));
				assertDefined(context, 4, ThrottleSource.RUNTIME);
			});
	}

	@Test
	void propertySetsWhatBecomesOfCallsWithoutAPermit() {
		this.contextRunner.withPropertyValues("sluice.annotations.default-action=drop")
			.withBean(Service.class)
			.run((context) -> {
				context.getBean(Service.class).quote();
				context.getBean(Service.class).quote();
			});
	}

	@Test
	void propertySetsHowLongCallsWait() {
		this.contextRunner
			.withPropertyValues("sluice.annotations.default-action=wait", "sluice.annotations.max-wait=2h")
			.withBean(Exclusive.class)
			.run((context) -> {
				Throttle order = context.getBean(ThrottlingManager.class).get("order");
				Permit held = order.tryAcquire().permit();
				CompletableFuture<Void> call = CompletableFuture.runAsync(context.getBean(Exclusive.class)::run);
				Awaitility.await().until(() -> order.state("").waiting() == 1);
				held.close();
				assertThat(call).succeedsWithin(20, TimeUnit.SECONDS);
			});
		this.contextRunner
			.withPropertyValues("sluice.annotations.default-action=wait", "sluice.annotations.max-wait=0s")
			.withBean(Service.class)
			.run((context) -> assertLimited(context.getBean(Service.class)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "sluice.annotations.default-action=default", "sluice.annotations.max-wait=-1s" })
	void whenADefaultIsImpossibleThenTheStartFailsAndNamesIt(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(BindValidationException.class)
				.hasMessageContaining(property.split("=")[0]));
	}

	@Test
	void whenSwitchedOffThenNothingIsLimited() {
		this.contextRunner.withPropertyValues("sluice.annotations.enabled=false")
			.withBean(Service.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(ThrottleGate.class).doesNotHaveBean(ThrottleAdvisor.class);
				assertThat(AopUtils.isAopProxy(context.getBean(Service.class))).isFalse();
			});
	}

	@Test
	void whenAllIsSwitchedOffThenNothingIsLimited() {
		this.contextRunner.withPropertyValues("sluice.enabled=false")
			.withBean(Service.class)
			.run((context) -> assertThat(AopUtils.isAopProxy(context.getBean(Service.class))).isFalse());
	}

	@Test
	void methodThatADispatcherGuardsIsLeftAlone() {
		this.contextRunner.withBean(Service.class)
			.withBean(DispatchedMethods.class, () -> (method, type) -> type == Service.class)
			.run((context) -> assertThat(AopUtils.isAopProxy(context.getBean(Service.class))).isFalse());
	}

	@Test
	void whenALimitIsNotDefinedThenTheAnalysisNamesMethodAndProperty() {
		assertAnalysis(Slots.class,
				"Method SluiceAnnotationsAutoConfigurationTests.Slots.run of bean 'bean':"
						+ " 'value = \"slots\"' of @Semaphore(\"slots\") names a limit that is not defined",
				"Set 'sluice.throttles.slots.type=semaphore' and 'sluice.throttles.slots.limit'."
						+ " Limits so far: quotes.");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void theStartReportsTheAnalysis(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Broken.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(application::run);
		assertThat(output).contains("APPLICATION FAILED TO START", "names a limit that is not defined",
				"Set 'sluice.throttles.slots.type=semaphore' and 'sluice.throttles.slots.limit'.");
	}

	@Test
	void whenALimitIsOfAnotherKindThenTheAnalysisSaysWhichAnnotationFits() {
		assertAnalysis(WrongKind.class,
				"Method SluiceAnnotationsAutoConfigurationTests.WrongKind.run of bean 'bean':"
						+ " 'value = \"quotes\"' of @Mutex(\"quotes\") requires a mutex, but is a rate limit",
				"Use @Throttled, or give one of the two another name.");
	}

	@Test
	void whenAnExpressionNamesNoParameterThenTheAnalysisNamesThoseThereAre() {
		assertAnalysis(Misspelt.class,
				"Method SluiceAnnotationsAutoConfigurationTests.Misspelt.run of bean 'bean':"
						+ " 'key = \"#tenat\"' of @Throttled(\"quotes\") names '#tenat', which is neither a parameter"
						+ " nor one of #session, #principal, #headers",
				"Use one of: #tenant, #count; in message handlers also #session, #principal, #headers.");
	}

	@Test
	void beansThatAreNotCreatedAtTheStartAreVerifiedWithoutCreatingThem() {
		this.contextRunner.withUserConfiguration(NeverCreated.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("bean 'slots'"));
	}

	private static void assertDefined(AssertableApplicationContext context, int limit, ThrottleSource source) {
		ThrottleSnapshot inline = context.getBean(ThrottlingManager.class).get("inline").snapshot(0);
		assertThat(inline.limit().limit()).isEqualTo(limit);
		assertThat(context.getBean(ThrottleSourceRegistry.class).of(inline)).isEqualTo(source);
	}

	private static void assertLimited(Service service) {
		service.quote();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::quote);
	}

	private void assertAnalysis(Class<?> beanType, String description, String action) {
		this.contextRunner.withBean("bean", beanType).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new InvalidThrottledMethodFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).isEqualTo(description);
			assertThat(analysis.getAction()).isEqualTo(action);
		});
	}

	static class Service {

		@Throttled("quotes")
		void quote() {
		}

	}

	static class Inline {

		@Throttled(value = "inline", limit = 1, period = "1h")
		void run() {
		}

	}

	static class Exclusive {

		@Mutex("order")
		void run() {
		}

	}

	static class Slots {

		@Semaphore("slots")
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Slots.class)
	static class Broken {

	}

	static class WrongKind {

		@Mutex("quotes")
		void run() {
		}

	}

	static class Misspelt {

		@Throttled(value = "quotes", key = "#tenat")
		void run(String tenant, int count) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeverCreated {

		@Bean
		@Lazy
		Exclusive exclusive() {
			throw new IllegalStateException("Nobody asked for it");
		}

		@Bean
		@Scope("prototype")
		Slots slots() {
			throw new IllegalStateException("Nobody asked for it");
		}

	}

}
