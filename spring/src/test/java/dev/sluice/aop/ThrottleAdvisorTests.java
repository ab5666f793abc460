package dev.sluice.aop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.UnknownThrottleException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeanUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ThrottleAdvisorTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final ThrottleGate gate = ThrottleGate.builder(this.manager)
		.placeholders((text) -> text.replace("${name}", "quotes"))
		.build();

	ThrottleAdvisorTests() {
		this.manager.addOrUpdate("quotes", Limit.slidingLog(2, Duration.ofHours(1)));
		this.manager.addOrUpdate("other", Limit.slidingLog(3, Duration.ofHours(1)));
		this.manager.addOrUpdate("slots", Limit.semaphore(2));
	}

	@Test
	void whenLimitIsReachedThenCallIsRejected() {
		Service service = proxy(new Service());
		service.quote();
		service.quote();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::quote).satisfies((ex) -> {
			assertThat(ex.resource()).isEqualTo("quotes");
			assertThat(ex.key()).isEmpty();
		});
		assertThat(service.calls()).isEqualTo(2);
	}

	@Test
	void eachKeyHasTheLimitForItself() {
		Service service = proxy(new Service());
		service.quoteFor(7L);
		service.quoteFor(7L);
		service.quoteFor(8L);
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.quoteFor(7L))
			.satisfies((ex) -> assertThat(ex.key()).isEqualTo("7"));
	}

	@Test
	void whenTheKeyIsNullThenTheCallFailsAndNamesTheExpression() {
		Service service = proxy(new Service());
		assertThatIllegalStateException().isThrownBy(() -> service.quoteForName(null))
			.withMessage("The result is null of 'key = \"#name\"' of @Throttled(\"quotes\")"
					+ " on ThrottleAdvisorTests.Service.quoteForName");
		assertThat(service.calls()).isZero();
	}

	@Test
	void aMillionKeysAreLimitedInBoundedSpace() {
		AtomicLong clock = new AtomicLong();
		ThrottlingManager bounded = ThrottlingManager.builder().clock(clock::get).build();
		bounded.addOrUpdate("quotes", Limit.slidingLog(1, Duration.ofNanos(100)),
				LimitOptions.builder().maxKeys(1000).build());
		Service service = Proxies.limited(new Service(), ThrottleGate.builder(bounded).build());
		for (long tenant = 0; tenant < 1_000_000; tenant++) {
			clock.incrementAndGet();
			service.quoteFor(tenant);
		}
		assertThat(bounded.get("quotes").snapshot(0).keys()).isBetween(100, 1000);
		assertThat(bounded.get("quotes").snapshot(0).admitted()).isEqualTo(1_000_000);
	}

	@Test
	void callTakesThePermitsThatItsExpressionAsksFor() {
		Service service = proxy(new Service());
		service.quoteAll(List.of("a", "b"));
		service.quoteAll(List.of());
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> service.quoteAll(List.of("c")));
	}

	@Test
	void whenOneOfSeveralLimitsRejectsThenNoneIsCharged() {
		Service service = proxy(new Service());
		service.quote();
		service.quote();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::both);
		assertThat(this.manager.tryAcquire(AcquireRequest.of("other", "").permits(3)).admitted()).isTrue();
	}

	@Test
	void mutexIsHeldWhileTheMethodRuns() {
		Service service = proxy(new Service());
		service.exclusive(1, () -> {
			assertThatExceptionOfType(ThrottledException.class)
				.isThrownBy(() -> service.exclusive(1, ThrottleAdvisorTests::nothing));
			service.exclusive(2, ThrottleAdvisorTests::nothing);
		});
		service.exclusive(1, ThrottleAdvisorTests::nothing);
	}

	@Test
	void whenMethodThrowsThenPermitIsGivenBackAndTheThrowableIsTheSame() {
		Service service = proxy(new Service());
		IllegalStateException failure = new IllegalStateException("of the method");
		assertThatIllegalStateException().isThrownBy(() -> service.exclusive(1, () -> {
			throw failure;
		})).isSameAs(failure);
		service.exclusive(1, ThrottleAdvisorTests::nothing);
	}

	@Test
	void semaphoreHoldsAsManyPermitsAsAskedFor() {
		Service service = proxy(new Service());
		service.slots(2, () -> assertThatExceptionOfType(ThrottledException.class)
			.isThrownBy(() -> service.slots(1, ThrottleAdvisorTests::nothing)));
		service.slots(1, () -> service.slots(1, ThrottleAdvisorTests::nothing));
	}

	@Test
	void placeholdersAreReplaced() {
		Service service = proxy(new Service());
		service.placeholder();
		service.placeholder();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::quote);
	}

	@Test
	void annotationOnATypeHoldsForItsMethodsWithoutOneOfTheirOwn() {
		OnType service = proxy(new OnType());
		service.inherited();
		service.inherited();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::inherited);
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::notPublic);
		service.own();
		assertThat(service).hasToString("on type");
	}

	@Test
	void annotationOnAnInterfaceMethodHoldsForItsImplementation() {
		Interface service = proxy(new Implementation());
		service.call();
		service.call();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::call);
	}

	@Test
	void annotationOfTheOverridingMethodReplacesThatOfTheOverridden() {
		Implementation service = proxy(new Overriding());
		service.call();
		service.call();
		service.call();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::call)
			.satisfies((ex) -> assertThat(ex.resource()).isEqualTo("other"));
	}

	@Test
	void eachClassOfAnInterfaceMethodHasItsOwnLimit() {
		Method method = method(Interface.class, "call");
		List<Interface> targets = List.of(new Implementation(), new Overriding());
		for (int call = 0; call < 2; call++) {
			for (Interface target : targets) {
				assertThat(dispatch(method, target)).isCompleted();
			}
		}
		assertThat(dispatch(method, targets.get(0))).isCompletedExceptionally();
		assertThat(dispatch(method, targets.get(1))).isCompleted();
	}

	private CompletableFuture<@Nullable Object> dispatch(Method method, Object target) {
		return this.gate.call(method, target, new Object[0], Map.of(), () -> null);
	}

	@Test
	void whenTheLimitIsDefinedAnewThenTheNewOneCounts() {
		Service service = proxy(new Service());
		service.quote();
		this.manager.remove("quotes");
		assertThatExceptionOfType(UnknownThrottleException.class).isThrownBy(service::quote);
		this.manager.addOrUpdate("quotes", Limit.slidingLog(1, Duration.ofHours(1)));
		service.quote();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::quote);
		this.manager.remove("quotes");
		this.manager.addOrUpdate("quotes", Limit.mutex());
		service.quote();
		service.quote();
		assertThat(this.manager.get("quotes").snapshot(0).held()).isZero();
	}

	@Test
	void annotationMayBeComposed() {
		Service service = proxy(new Service());
		service.composed();
		service.composed();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::composed);
	}

	@Test
	void methodsWithoutAnnotationAreLeftAlone() {
		assertThat(pointcut((method, type) -> false).matches(method(Service.class, "calls"), Service.class)).isFalse();
	}

	@Test
	void dispatchedMethodsAreLeftAlone() {
		Method quote = method(Service.class, "quote");
		assertThat(pointcut((method, type) -> false).matches(quote, Service.class)).isTrue();
		assertThat(
				pointcut((method, type) -> method.equals(quote) && type == Service.class).matches(quote, Service.class))
			.isFalse();
	}

	@SuppressWarnings("unchecked")
	private <T> T proxy(T target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new ThrottleAdvisor(() -> this.gate, (method, type) -> false, false));
		return (T) factory.getProxy();
	}

	private static ThrottlePointcut pointcut(DispatchedMethods dispatched) {
		return new ThrottlePointcut(dispatched, (method) -> true);
	}

	private static Method method(Class<?> type, String name) {
		Method method = BeanUtils.findMethodWithMinimalParameters(type, name);
		assertThat(method).isNotNull();
		return method;
	}

	private static void nothing() {
	}

	static class Service {

		private final AtomicInteger calls = new AtomicInteger();

		@Throttled("quotes")
		void quote() {
			this.calls.incrementAndGet();
		}

		int calls() {
			return this.calls.get();
		}

		@Throttled(value = "quotes", key = "#tenant")
		void quoteFor(long tenant) {
		}

		@Throttled(value = "quotes", key = "#name")
		void quoteForName(@Nullable String name) {
			this.calls.incrementAndGet();
		}

		@Throttled(value = "quotes", permits = "#names.size()")
		void quoteAll(List<String> names) {
		}

		@Throttled("other")
		@Throttled("quotes")
		void both() {
		}

		@Mutex(value = "order", key = "#order")
		void exclusive(int order, Runnable action) {
			action.run();
		}

		@Semaphore(value = "slots", permits = "#permits")
		void slots(int permits, Runnable action) {
			action.run();
		}

		@Throttled("${name}")
		void placeholder() {
		}

		@Quoted
		void composed() {
		}

	}

	@Throttled("quotes")
	static class OnType {

		public void inherited() {
		}

		@Throttled("other")
		public void own() {
		}

		void notPublic() {
		}

		@Override
		public String toString() {
			return "on type";
		}

	}

	interface Interface {

		@Throttled("quotes")
		void call();

	}

	static class Implementation implements Interface {

		@Override
		public void call() {
		}

	}

	static class Overriding extends Implementation {

		@Override
		@Throttled("other")
		public void call() {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Throttled("quotes")
	@interface Quoted {

	}

}
