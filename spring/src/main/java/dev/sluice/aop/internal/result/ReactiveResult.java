package dev.sluice.aop.internal.result;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRun;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.PartInContext;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;

/**
 * A {@code Mono} or {@code Flux}. Each subscription is a call: it calls the method once
 * it is admitted, and ends with the last signal or the cancellation, before the signal is
 * passed downstream.
 *
 * @param many whether it is a {@code Flux}
 * @param content the type of the value whose empty one a {@code Mono} of a call that is
 * skipped has; {@code void} for none
 */
record ReactiveResult(boolean many, Class<?> content) implements ResultType {

	static boolean supports(Class<?> type) {
		return type == Mono.class || type == Flux.class;
	}

	static ReactiveResult of(Class<?> type) {
		return (type == Flux.class) ? ofMany() : new ReactiveResult(false, void.class);
	}

	static ReactiveResult ofMany() {
		return new ReactiveResult(true, void.class);
	}

	/** Returns the kind of a suspend function. */
	static ReactiveResult ofSuspended(Class<?> content) {
		return FlowResult.isFlow(content) ? ofMany() : new ReactiveResult(false, content);
	}

	@Override
	public Publisher<?> run(GatedCall call) {
		return this.many ? Flux.defer(() -> new Subscription(call).flux())
				: Mono.defer(() -> new Subscription(call).mono());
	}

	@Override
	public CallBody body(MethodInvocation invocation) {
		return (invocation instanceof ProxyMethodInvocation proxied) ? () -> proxied.invocableClone().proceed()
				: invocation::proceed;
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
		return this.many ? Flux.empty() : Mono.justOrEmpty(EmptyValues.of(this.content));
	}

	/**
	 * Converts the result of a method or of its fallback, which may be a flow or the
	 * value of a suspend function.
	 */
	private static Publisher<?> asPublisher(Object result) {
		if (result instanceof Publisher<?> publisher) {
			return publisher;
		}
		ReactiveAdapter adapter = FlowResult.adapter(result);
		return (adapter != null) ? adapter.toPublisher(result) : Mono.just(result);
	}

	/** One subscription. */
	private static final class Subscription {

		/*
		 * Reactor throws an error of the virtual machine instead of signalling it, from
		 * "doOnError" as well. The run therefore ends where the publisher of the method
		 * is obtained and subscribed to, and in a "doFinally" before "doOnError".
		 */

		private final GatedCall call;

		private final CallRun run;

		private final CompletableFuture<Permit> entering;

		private final @Nullable PartInContext<Publisher<?>> later;

		Subscription(GatedCall call) {
			this.call = call;
			this.run = call.begin();
			try {
				this.entering = call.enterLater(this.run);
				this.later = this.entering.isDone() ? null : call.inContext(this::proceed);
			}
			catch (Throwable ex) {
				this.run.end(ex);
				throw ex;
			}
		}

		Mono<?> mono() {
			return source().flatMap((source) -> Mono.from(source.get()))
				.doFinally((signal) -> cancelled())
				.doOnError(this.run::end)
				.doOnTerminate(() -> this.run.end(null));
		}

		Flux<?> flux() {
			return source().flatMapMany(Supplier::get)
				.doFinally((signal) -> cancelled())
				.doOnError(this.run::end)
				.doOnTerminate(() -> this.run.end(null));
		}

		/*
		 * Two steps, to distinguish a rejection by this gate from one by another gate
		 * inside the method.
		 */
		private Mono<Supplier<Publisher<?>>> source() {
			return Mono.fromFuture(this.entering)
				.<Supplier<Publisher<?>>>map((permit) -> () -> entered(permit))
				.onErrorResume(ThrottledException.class, (rejection) -> Mono.just(() -> reject(rejection)));
		}

		private Publisher<?> entered(Permit permit) {
			if (!this.run.granted(permit)) {
				return Mono.error(new CancellationException("The subscription had ended"));
			}
			return (this.later != null) ? publisher(this.later::run) : proceed();
		}

		private Publisher<?> proceed() {
			return publisher(this.call::proceed);
		}

		private Publisher<?> reject(ThrottledException rejection) {
			this.run.end(rejection);
			return publisher(() -> this.call.reject(rejection));
		}

		private Publisher<?> publisher(CallBody body) {
			try {
				Object result = body.run();
				return (result != null) ? ending(asPublisher(result)) : Mono.empty();
			}
			catch (Throwable ex) {
				endIfFatal(ex);
				return Mono.error(ex);
			}
		}

		/** Returns a publisher that ends the run if its subscription throws. */
		private <T> Publisher<T> ending(Publisher<T> publisher) {
			return (subscriber) -> {
				try {
					publisher.subscribe(subscriber);
				}
				catch (Throwable ex) {
					endIfFatal(ex);
					throw ex;
				}
			};
		}

		private void endIfFatal(Throwable failure) {
			if (failure instanceof VirtualMachineError) {
				this.run.end(failure);
			}
		}

		/** Ends a run that has not ended with a signal. */
		private void cancelled() {
			this.run.end(new CancellationException("The subscription was cancelled"));
		}

	}

}
