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

/**
 * A {@code Mono} or {@code Flux}. Each subscription is a call: it calls the method once
 * it is admitted, and ends with the last signal or the cancellation, before the signal is
 * passed downstream.
 *
 * @param type the declared type
 */
record ReactiveResult(Class<?> type) implements ResultType {

	static boolean supports(Class<?> type) {
		return type == Mono.class || type == Flux.class;
	}

	@Override
	public Object run(GatedCall call) {
		return (this.type == Mono.class) ? Mono.defer(() -> new Subscription(call).mono())
				: Flux.defer(() -> new Subscription(call).flux());
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
		return (this.type == Mono.class) ? Mono.empty() : Flux.empty();
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
				Object publisher = body.run();
				return (publisher != null) ? ending((Publisher<?>) publisher) : Mono.empty();
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
