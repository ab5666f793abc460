package dev.sluice.sample;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** What a native image of the sample is told of each method that handles messages. */
class HintsTests {

	static Stream<Method> handlers() {
		ClassPathScanningCandidateComponentProvider endpoints = new ClassPathScanningCandidateComponentProvider(false);
		endpoints.addIncludeFilter(new AnnotationTypeFilter(WebSocketEndpoint.class));
		return endpoints.findCandidateComponents(HintsTests.class.getPackageName())
			.stream()
			.map((endpoint) -> ClassUtils.resolveClassName(endpoint.getBeanClassName(), null))
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((method) -> method.isAnnotationPresent(OnMessage.class));
	}

	@ParameterizedTest
	@MethodSource("handlers")
	void aMethodItsMessagesItsResultsAndItsKeyAreKnown(Method method) {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, method.getDeclaringClass());
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method)).accepts(hints);
		Stream.concat(Stream.of(method.getParameterTypes()), Stream.of(method.getReturnType()))
			.flatMap(HintsTests::records)
			.forEach((type) -> {
				assertThat(RuntimeHintsPredicates.reflection()
					.onType(type)
					.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
				assertThat(type.getRecordComponents()).allSatisfy((component) -> assertThat(
						RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
					.accepts(hints));
			});
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(ManagedSession.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
	}

	@Test
	void whatASessionPostsByItselfIsKnown() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, BoardSession.class);
		assertThat(Stream.of(BoardSession.Welcome.class, BoardSession.Line.class))
			.allSatisfy((type) -> assertThat(type.getRecordComponents()).allSatisfy((component) -> assertThat(
					RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
				.accepts(hints)));
	}

	/** The end of a stage without a result is no message. */
	private static Stream<Class<?>> records(Class<?> type) {
		return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(HintsTests::records)
				: Stream.<Class<?>>of(type).filter((message) -> message != CompletableFuture.class);
	}

}
