package dev.sluice.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties that switch parts on and off: how they are read, and what is logged. */
@ExtendWith(OutputCaptureExtension.class)
class SwitchesTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(autoConfigurations()));

	private static Class<?>[] autoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("dev.sluice.autoconfigure."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new);
	}

	static List<String> switches() {
		return List.of("sluice.enabled", "sluice.annotations.enabled", "sluice.cluster.enabled",
				"sluice.websocket.enabled", "sluice.websocket.handlers.enabled", "sluice.websocket.stomp.enabled",
				"sluice.web.enabled", "sluice.journal.enabled", "sluice.websocket.security-context",
				"sluice.annotations.strict");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE", "yes", "on", "1" })
	void partIsOnWhateverTheWordForIt(String value) {
		this.contextRunner
			.withPropertyValues(switches().stream().map((name) -> name + "=" + value).toArray(String[]::new))
			.run((context) -> assertThat(context).hasBean("sluiceThrottlingManager")
				.hasBean("sluiceThrottleGate")
				.hasBean("sluiceWebSocketDispatcher")
				.hasBean("sluiceHandlerMethods")
				.hasBean("sluiceSentMessageJournal")
				.hasBean("sluiceThrottledExceptionResolver"));
	}

	@ParameterizedTest
	@CsvSource({ "sluice.enabled,sluiceThrottlingManager", "sluice.annotations.enabled,sluiceThrottleGate",
			"sluice.websocket.enabled,sluiceWebSocketDispatcher",
			"sluice.websocket.handlers.enabled,sluiceOrderedRequestHandlers",
			"sluice.web.enabled,sluiceThrottledExceptionResolver" })
	void partIsOffWhateverTheWordForIt(String name, String bean) {
		Stream.of("false", "no", "off", "0")
			.forEach((value) -> this.contextRunner.withPropertyValues(name + "=" + value)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(bean)));
	}

	@ParameterizedTest
	@MethodSource("switches")
	void otherValueStopsTheStart(String name) {
		this.contextRunner.withPropertyValues(name + "=maybe")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(
					"Property '" + name + "' must be true or false: maybe",
					"Correct '" + name + "', or remove it to have the default."));
	}

	@Test
	void annotationsThatHaveNoEffectAreLogged(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Annotated.class)
			.withPropertyValues("sluice.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("Property 'sluice.enabled' is false")
			.contains("'limited' (@Throttled)", "'listening' (@BatchListener)", "(@WebSocketEndpoint)");
	}

	@Test
	void annotationsOfOnePartAreLogged(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Annotated.class)
			.withPropertyValues("sluice.annotations.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("Property 'sluice.annotations.enabled' is false: annotations have no effect on the beans "
					+ "'limited' (@Throttled)")
			.doesNotContain("@BatchListener");
	}

	@Test
	void nothingIsLoggedWithoutAnnotations(CapturedOutput output) {
		this.contextRunner.withPropertyValues("sluice.enabled=false", "sluice.annotations.enabled=off")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("have no effect");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Rooms.class)
	static class Annotated {

		@Bean
		Limited limited() {
			return new Limited();
		}

		@Bean
		Listening listening() {
			return new Listening();
		}

	}

	static class Limited {

		@Throttled("calls")
		void call() {
		}

	}

	static class Listening {

		@BatchListener("mails")
		void send(List<String> mails) {
		}

	}

	@WebSocketEndpoint(path = "/rooms")
	static class Rooms extends ManagedSession {

		@OnMessage
		void said(String text) {
		}

	}

}
