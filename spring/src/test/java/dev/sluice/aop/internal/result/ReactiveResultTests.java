package dev.sluice.aop.internal.result;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.Proxies;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReactiveResultTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final Service target = new Service();

	private final Service service = Proxies.limited(this.target, ThrottleGate.builder(this.manager).build());

	@Test
	void nothingIsTakenBeforeTheSubscription() {
		Mono<String> mono = this.service.mono();
		assertThat(this.manager.find("m")).isPresent();
		assertThat(used()).isZero();
		assertThat(this.target.calls).hasValue(0);
		mono.subscribe();
		assertThat(used()).isOne();
		assertThat(this.target.calls).hasValue(1);
	}

	@Test
	void eachSubscriptionIsACall() {
		Mono<String> mono = this.service.mono();
		Disposable first = mono.subscribe();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(mono::block);
		first.dispose();
		mono.subscribe();
		assertThat(this.target.calls).hasValue(2);
	}

	@Test
	void permitIsGivenBackBeforeTheEndIsTold() {
		AtomicInteger seen = new AtomicInteger(-1);
		this.service.mono().doOnNext((value) -> seen.set(used())).subscribe();
		this.target.one.tryEmitValue("done");
		assertThat(seen).hasValue(0);
	}

	@Test
	void whenCancelledThenPermitIsGivenBack() {
		Disposable subscription = this.service.flux().subscribe();
		assertThat(used()).isOne();
		subscription.dispose();
		assertThat(used()).isZero();
	}

	@Test
	void fluxHoldsItsPermitUntilItsLastSignal() {
		AtomicInteger atFirst = new AtomicInteger(-1);
		AtomicInteger atEnd = new AtomicInteger(-1);
		this.service.flux().doOnNext((value) -> atFirst.set(used())).doOnComplete(() -> atEnd.set(used())).subscribe();
		this.target.many.tryEmitNext("first");
		this.target.many.tryEmitComplete();
		assertThat(atFirst).hasValue(1);
		assertThat(atEnd).hasValue(0);
	}

	@Test
	void whenTheMethodThrowsThenTheSubscriberIsTold() {
		assertThatIllegalStateException().isThrownBy(() -> this.service.broken().block()).withMessage("broken");
		assertThat(used()).isZero();
	}

	@Test
	void waitsInLineWithoutAThread() {
		this.service.mono().subscribe();
		List<String> values = new java.util.concurrent.CopyOnWriteArrayList<>();
		this.service.await().subscribe(values::add);
		assertThat(this.target.calls).hasValue(1);
		this.target.one.tryEmitValue("done");
		Awaitility.await().until(() -> values.equals(List.of("done")));
	}

	@Test
	void whenCancelledInLineThenItLeaves() {
		this.service.mono().subscribe();
		Disposable waiting = this.service.await().subscribe();
		assertThat(this.manager.get("m").state("").waiting()).isOne();
		waiting.dispose();
		assertThat(this.manager.get("m").state("").waiting()).isZero();
	}

	@Test
	void refusalOfAnotherGateInsideIsNotTakenForOnesOwn() {
		this.service.mono().subscribe();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.service.nested(this.service).block())
			.satisfies((ex) -> assertThat(ex.resource()).isEqualTo("m"));
	}

	@Test
	void droppedCallGivesNothing() {
		this.service.mono().subscribe();
		assertThat(this.service.dropMono().blockOptional()).isEmpty();
		assertThat(this.service.dropFlux().collectList().block()).isEmpty();
	}

	private int used() {
		return this.manager.get("m").state("").used();
	}

	static class Service {

		private final AtomicInteger calls = new AtomicInteger();

		private final Sinks.One<String> one = Sinks.one();

		private final Sinks.Many<String> many = Sinks.many().multicast().directBestEffort();

		@Mutex("m")
		Mono<String> mono() {
			this.calls.incrementAndGet();
			return this.one.asMono();
		}

		@Mutex("m")
		Flux<String> flux() {
			return this.many.asFlux();
		}

		@Mutex("m")
		Mono<String> broken() {
			throw new IllegalStateException("broken");
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT)
		Mono<String> await() {
			return this.one.asMono();
		}

		@Mutex("other")
		@WhenThrottled(action = Action.DROP)
		Mono<String> nested(Service service) {
			return service.mono();
		}

		@Mutex("m")
		@WhenThrottled(action = Action.DROP)
		Mono<String> dropMono() {
			return this.one.asMono();
		}

		@Mutex("m")
		@WhenThrottled(action = Action.DROP)
		Flux<String> dropFlux() {
			return this.many.asFlux();
		}

	}

}
