package dev.sluice.aop.internal.result;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * A {@code Mono} or {@code Flux}. Each subscription is a call: it calls the method once
 * it is admitted, and ends with the last signal or the cancellation, before that goes
 * downstream.
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

		private final GatedCall call;

		private final CompletableFuture<Permit> entering;

		private final Callable<Publisher<?>> method;

		private final AtomicBoolean ended = new AtomicBoolean();

		Subscription(GatedCall call) {
			this.call = call;
			this.entering = call.enterLater();
			this.method = this.entering.isDone() ? this::proceed : call.inContext(this::proceed);
		}

		Mono<?> mono() {
			return source().flatMap((source) -> Mono.from(source.get()))
				.doOnError((failure) -> end(true))
				.doOnTerminate(() -> end(false))
				.doFinally((signal) -> end(true));
		}

		Flux<?> flux() {
			return source().flatMapMany(Supplier::get)
				.doOnError((failure) -> end(true))
				.doOnTerminate(() -> end(false))
				.doFinally((signal) -> end(true));
		}

		/*
		 * Two steps, so that a rejection by the gate is not taken for one by another gate
		 * that the method meets inside.
		 */
		private Mono<Supplier<Publisher<?>>> source() {
			return Mono.fromFuture(this.entering)
				.<Supplier<Publisher<?>>>map((permit) -> () -> publisher(this.method::call))
				.onErrorResume(ThrottledException.class, (rejection) -> Mono.just(() -> reject(rejection)));
		}

		private Publisher<?> proceed() {
			return publisher(this.call::proceed);
		}

		private Publisher<?> reject(ThrottledException rejection) {
			return publisher(() -> this.call.reject(rejection));
		}

		private static Publisher<?> publisher(CallBody body) {
			try {
				Object publisher = body.run();
				return (publisher != null) ? (Publisher<?>) publisher : Mono.empty();
			}
			catch (Throwable ex) {
				return Mono.error(ex);
			}
		}

		private void end(boolean failed) {
			if (this.ended.compareAndSet(false, true) && !this.entering.cancel(false)) {
				this.entering.thenAccept((permit) -> this.call.end(permit, failed));
			}
		}

	}

}
