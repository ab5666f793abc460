package dev.sluice.actuate.endpoint;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Runtime hints for the response types that operations do not declare. */
class ThrottlingEndpointHints implements RuntimeHintsRegistrar {

	private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream
			.of(ThrottlingDescriptor.class, ThrottleDescriptor.class, ThrottleDescriptor.Key.class,
					QueueDescriptor.class, BatchDescriptor.class, ClusterDescriptor.Topic.class,
					SessionDescriptor.class, Problem.class)
			.forEach((type) -> this.bindings.registerReflectionHints(hints.reflection(), type));
	}

}
