package dev.sluice.aop.internal.result;

import java.util.Objects;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.GatedCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * A {@code Flow} of Kotlin. Each collection is a call, as each subscription to a
 * {@code Flux} is.
 *
 * @param adapter converts flows to publishers and back
 * @param publisher the kind of the publishers
 */
record FlowResult(ReactiveAdapter adapter, ReactiveResult publisher) implements ResultType {

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	/** Returns whether a type is {@code Flow} and can be converted. */
	static boolean supports(Class<?> type) {
		return isFlow(type) && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	static boolean isFlow(Class<?> type) {
		return type.getName().equals(FLOW);
	}

	/** Returns the adapter of an object that is a flow, or {@code null} if it is none. */
	static @Nullable ReactiveAdapter adapter(Object object) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(object.getClass());
		return (adapter != null && isFlow(adapter.getReactiveType())) ? adapter : null;
	}

	static FlowResult of(Class<?> type) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return new FlowResult(Objects.requireNonNull(adapter), ReactiveResult.ofMany());
	}

	@Override
	public Object run(GatedCall call) {
		return this.adapter.fromPublisher(this.publisher.run(call));
	}

	@Override
	public CallBody body(MethodInvocation invocation) {
		return this.publisher.body(invocation);
	}

	@Override
	public boolean comesLater() {
		return true;
	}

	@Override
	public boolean entersOnce() {
		return false;
	}

	@Override
	public Object empty() {
		return this.publisher.empty();
	}

}
