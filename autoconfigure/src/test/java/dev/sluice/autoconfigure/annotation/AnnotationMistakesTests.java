package dev.sluice.autoconfigure.annotation;

import java.util.List;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.BatchListener;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.fixture.Warnings;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.ThrottledException;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotations that would have no effect, or another one than meant: those that cannot
 * work stop the start, the others are logged once. What only looks like a mistake is
 * neither.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotationMistakesTests {

	private static final String UNLIMITED = " is not limited as its annotations require: it is a ";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class, SluiceBatchAutoConfiguration.class))
		.withPropertyValues("sluice.throttles.known.limit=1", "sluice.throttles.known.period=1h", "permits=0");

	static Stream<Arguments> mistakes() {
		return Stream.of(Arguments.of(BlankKey.class, "'key = \" \"' of @Throttled(\"known\") is blank"),
				Arguments.of(BlankOwner.class, "'owner = \" \"' of @Mutex(\"m\") is blank"),
				Arguments.of(OwnFallback.class, "names the method itself"),
				Arguments.of(NamelessBatch.class, "listens to a batch without a name"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void annotationThatCannotWorkStopsTheStart(Class<?> type, String problem) {
		this.contextRunner.withUserConfiguration(type).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(problem);
		});
	}

	@Test
	void annotationsWithoutEffectAreLogged(CapturedOutput output) {
		this.contextRunner
			.withUserConfiguration(BeanMethods.class, LimitedConfiguration.class, Life.class, Initialized.class,
					Server.class, Keys.class, NoPermits.class, BlankName.class, OnClass.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("BeanMethods.limited apply to the creation of the bean alone")
			.containsOnlyOnce("LimitedConfiguration.ofType apply to the creation of the bean alone")
			.containsOnlyOnce(
					"Life.start of bean 'annotationMistakesTests.Life'" + UNLIMITED + "callback of the bean's life")
			.containsOnlyOnce(
					"Life.stop of bean 'annotationMistakesTests.Life'" + UNLIMITED + "callback of the bean's life")
			.containsOnlyOnce(
					"Initialized.afterPropertiesSet of bean 'annotationMistakesTests.Initialized'" + UNLIMITED)
			.containsOnlyOnce("Server.said of bean 'annotationMistakesTests.Server'" + UNLIMITED
					+ "callback of Jakarta WebSocket")
			.containsOnlyOnce(
					"'key = \"'#user'\"' of @Throttled(\"known\") on AnnotationMistakesTests.Keys.hash is the same")
			.containsOnlyOnce(
					"'key = \"'{user}'\"' of @Throttled(\"known\") on AnnotationMistakesTests.Keys.brace is the")
			.containsOnlyOnce(
					"'permits = \"0\"' of @Throttled(\"known\") on AnnotationMistakesTests.NoPermits.run requires no")
			.containsOnlyOnce(
					"'value = \"a \"' of @Throttled(\"a \") on AnnotationMistakesTests.BlankName.run is for a limit")
			.containsOnlyOnce("@WhenThrottled on " + OnClass.class + " of bean");
	}

	@Test
	void whatOnlyLooksLikeAMistakeIsNotLogged(CapturedOutput output) {
		this.contextRunner
			.withUserConfiguration(Prototypes.class, Configured.class, OtherKeys.class, Dynamic.class, Overloaded.class,
					Inherited.class, Destroyed.class, LimitedType.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(Warnings.in(output)).isEmpty();
	}

	static class BlankKey {

		@Throttled(value = "known", key = " ")
		void run(String user) {
		}

	}

	static class BlankOwner {

		@Mutex(value = "m", owner = " ")
		void run(String user) {
		}

	}

	static class OwnFallback {

		@Throttled("known")
		@WhenThrottled(fallback = "run")
		void run() {
		}

	}

	static class NamelessBatch {

		@BatchListener(" ")
		void take(List<String> items) {
		}

	}

	@Configuration
	static class BeanMethods {

		@Bean
		@Throttled("known")
		String limited() {
			return "";
		}

	}

	@Configuration
	@Throttled(value = "configured", limit = 9, period = "1h")
	static class LimitedConfiguration {

		@Bean
		Integer ofType() {
			return 1;
		}

	}

	static class Life {

		@PostConstruct
		@Throttled("known")
		void start() {
		}

		@PreDestroy
		@Throttled("known")
		void stop() {
		}

	}

	static class Initialized implements InitializingBean {

		@Override
		@Throttled("known")
		public void afterPropertiesSet() {
		}

	}

	@ServerEndpoint("/server")
	static class Server {

		@OnMessage
		@Throttled("known")
		public void said(String text) {
		}

	}

	static class Keys {

		@Throttled(value = "known", key = "'#user'")
		void hash(String user) {
		}

		@Throttled(value = "known", key = "'{user}'")
		void brace(String user) {
		}

	}

	static class NoPermits {

		@Throttled(value = "known", permits = "0")
		void run() {
		}

	}

	static class BlankName {

		@Throttled(value = "a ", limit = 1, period = "1s")
		void run() {
		}

	}

	@WhenThrottled(action = Action.WAIT)
	static class OnClass {

		void run() {
		}

	}

	@Configuration
	static class Prototypes {

		@Bean
		@Scope("prototype")
		@Throttled("known")
		Long prototype() {
			return 1L;
		}

	}

	@ServerEndpoint(value = "/configured", configurator = Configurator.class)
	static class Configured {

		@OnMessage
		@Throttled("known")
		public void said(String text) {
		}

	}

	static class Configurator extends ServerEndpointConfig.Configurator {

	}

	static class OtherKeys {

		@Throttled(value = "known", key = "'user'")
		void constant(String user) {
		}

		@Throttled(value = "known", key = "'#' + #user")
		void composed(String user) {
		}

		@Throttled(value = "known", key = "#p0")
		void position(String user) {
		}

	}

	static class Dynamic {

		@Throttled(value = "known", permits = "${permits}")
		void placeholder() {
		}

		@Throttled(value = "known", permits = "#free ? 0 : 1")
		void computed(boolean free) {
		}

	}

	static class Overloaded {

		@Throttled("known")
		@WhenThrottled(fallback = "run")
		String run(String text) {
			return text;
		}

		String run(String text, ThrottledException ex) {
			return "";
		}

	}

	@WhenThrottled(action = Action.DROP)
	static class Base {

	}

	static class Inherited extends Base {

		@Throttled("known")
		void run() {
		}

	}

	@Throttled("known")
	static class LimitedType implements InitializingBean, DisposableBean {

		@PostConstruct
		void start() {
		}

		@Override
		public void afterPropertiesSet() {
		}

		@Override
		public void destroy() {
		}

		void run() {
		}

	}

	/** Is no bean that is destroyed. */
	static class Destroyed {

		@Throttled("known")
		void destroy() {
		}

	}

}
