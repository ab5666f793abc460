package dev.sluice.actuate.endpoint;

import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

class RuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	static Stream<Class<?>> answers() {
		return Stream.of(ThrottlingDescriptor.class, ExecutorDescriptor.class, QueueDescriptor.class,
				QueueDescriptor.Waiting.class, SessionsDescriptor.class, SessionDescriptor.class,
				ThrottleDescriptor.class, ThrottleDescriptor.Key.class, ThrottleDescriptor.HolderEntry.class,
				BatchDescriptor.class, BatchDescriptor.Slot.class, ClusterDescriptor.class,
				ClusterDescriptor.Node.class, ClusterDescriptor.Topics.class, ClusterDescriptor.Topic.class,
				Problem.class);
	}

	@ParameterizedTest
	@MethodSource("answers")
	void aNativeImageCanWriteEveryPartOfAnAnswer(Class<?> type) {
		new ThrottlingEndpointHints().registerHints(this.hints, null);
		assertThat(type.getRecordComponents()).allSatisfy((component) -> assertThat(
				RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
			.accepts(this.hints));
	}

}
