package dev.sluice.aop;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ThrottledMethodVerifierTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void mistakeIsNamedWithItsRemedy(Class<?> type, String problem, String action) {
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, java.time.Duration.ofSeconds(1)));
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(() -> verify(type))
			.withMessage("Method " + ClassUtils.getShortName(type) + ".call of bean 'bean': " + problem)
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(action));
	}

	@Test
	void methodsWhoseCallersDoNotBlockMayBeTriedAgain() {
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, java.time.Duration.ofSeconds(1)));
		assertThatNoException().isThrownBy(() -> verify(Retrying.class));
	}

	static Stream<Arguments> mistakeIsNamedWithItsRemedy() {
		return Stream.of(arguments(Undefined.class,
				"'value = \"unknown\"' of @Throttled(\"unknown\") names a limit that is not defined",
				"Set 'sluice.throttles.unknown.limit' and 'sluice.throttles.unknown.period'. Limits so far: rate."),
				arguments(Nameless.class, "'value = \"\"' of @Throttled(\"\") is no name",
						"Name the limit, as in @Throttled(\"commands\")."),
				arguments(NoPlaceholder.class,
						"'value = \"${missing}\"' of @Mutex(\"${missing}\") has a placeholder without a value",
						"Set the property, or give it a default, as in ${name:default}."),
				arguments(OtherKind.class,
						"'value = \"rate\"' of @Semaphore(\"rate\") requires a semaphore, but is a rate limit",
						"Use @Throttled, or give one of the two another name."),
				arguments(OtherType.class,
						"'type = SEMAPHORE' of @Throttled(\"a\") requires a rate limit, but is a semaphore",
						"Use @Semaphore, or give one of the two another name."),
				arguments(NoPeriod.class, "'period = \"\"' of @Throttled(\"a\") is missing: type sliding-log needs it",
						"Correct it, or only name the limit and define it by sluice.throttles.a.*."),
				arguments(UnknownOption.class, "'buckets = 3' of @Throttled(\"a\") is no option of type sliding-log",
						"Correct it, or only name the limit and define it by sluice.throttles.a.*."),
				arguments(OutOfRange.class, "'limit = 0' of @Throttled(\"a\") must be greater than 0: 0",
						"Correct it, or only name the limit and define it by sluice.throttles.a.*."),
				arguments(NoTime.class, "'period = \"soon\"' of @Throttled(\"a\") is no time",
						"Write a number and a unit, as in 500ms, 5s or 1h, or PT0.5S."),
				arguments(BadKey.class,
						"'key = \"#b\"' of @Mutex(\"m\") names '#b', which is neither a parameter nor one of"
								+ " #session, #principal, #headers",
						"Use one of: #a; in message handlers also #session, #principal, #headers."),
				arguments(BadPermits.class, "'permits = \"@bean\"' of @Semaphore(\"s\") must not use '@bean'",
						"Read properties and call instance methods of the parameters only;"
								+ " move anything else into a method of a parameter's type."),
				arguments(TooManyPermits.class,
						"'permits = \"2\"' of @Throttled(\"rate\") is more than the limit grants a call:"
								+ " SlidingLog[limit=1, period=PT1S]",
						"Request at most 1, or raise the limit."),
				arguments(TooManyAtOnce.class,
						"'permits = \"20000\"' of @Throttled(\"many\") is more than the limit grants a call:"
								+ " SlidingLog[limit=100000, period=PT1M]",
						"Request at most 10000, or define a limit that does not record each permit, such as a token"
								+ " bucket."),
				arguments(NegativePermits.class, "'permits = \"-1\"' of @Throttled(\"rate\") is negative",
						"Write a number of 0 or more."),
				arguments(TextPermits.class, "'permits = \"#text\"' of @Throttled(\"rate\") is a String, and no number",
						"Name a parameter that is or contains a number, as in \"#a0.length()\"."),
				arguments(TwiceOne.class,
						"'value = \"rate\"' of @Throttled(\"rate\") requires, with the method's other annotations for it,"
								+ " 2 permits, which is more than the limit grants a call:"
								+ " SlidingLog[limit=1, period=PT1S]",
						"Remove one of the annotations, or raise the limit."),
				arguments(NoOwner.class, "'mode = ACQUIRE' of @Mutex(\"m\") needs an owner",
						"Specify the owner of the permits, as in owner = \"#batchId\"."),
				arguments(PermitsOfRelease.class,
						"'permits = \"2\"' of @Semaphore(\"s\") has no effect with mode RELEASE,"
								+ " which releases all permits of the owner",
						"Remove 'permits'."),
				arguments(Mixture.class,
						"'mode = ACQUIRE' of @Mutex(\"m\") cannot be combined with a permit that the same call"
								+ " releases",
						"Use mode ACQUIRE for all semaphores and mutexes of the method, or call two methods."),
				arguments(NoWait.class, "'maxWait = \"1s\"' of @WhenThrottled has no effect: the action is REJECT",
						"Set action = Action.WAIT, or remove 'maxWait'."),
				arguments(PlainRetry.class,
						"'action = RETRY' of @WhenThrottled cannot be followed, as the callers of the method block",
						"Add @Async, return a CompletionStage, Mono or Flux, or set action = Action.WAIT."),
				arguments(NoRetry.class, "'delay = \"1s\"' of @WhenThrottled has no effect: the action is WAIT",
						"Set action = Action.RETRY, or remove 'delay'."),
				arguments(NoRetries.class, "'maxRetries = 2' of @WhenThrottled has no effect: the action is REJECT",
						"Set action = Action.RETRY, or remove 'maxRetries'."),
				arguments(NoDelay.class, "'delay = \"0s\"' of @WhenThrottled is not above 0",
						"Write a time above 0, as in 1s."),
				arguments(NeverAgain.class, "'maxRetries = 0' of @WhenThrottled is less than 1", "Write 1 or more."),
				arguments(NegativeWait.class, "'maxWait = \"-1s\"' of @WhenThrottled is negative",
						"Write a time of 0 or more."),
				arguments(DropInt.class, "'action = DROP' of @WhenThrottled cannot leave out a call that returns int",
						"Name a method that gives the value instead, as in fallback = \"later\"."),
				arguments(NoFallback.class,
						"'fallback = \"later\"' of @WhenThrottled names no method of"
								+ " ThrottledMethodVerifierTests.NoFallback that fits",
						"Write 'CompletableFuture later(String, int)'; it may take a ThrottledException after the arguments."),
				arguments(NoFallbackBean.class,
						"'fallback = \"apologies.later\"' of @WhenThrottled names the bean 'apologies',"
								+ " which does not exist",
						"Name a method of this class, as in \"later\", or of a bean, as in \"apologies.later\"."),
				arguments(NotLimited.class, "has @WhenThrottled, but nothing limits it",
						"Add @Throttled, @Semaphore or @Mutex, or remove @WhenThrottled."));
	}

	@Test
	void whenTwoAnnotationsDefineALimitDifferentlyThenSaysSo() {
		assertThatExceptionOfType(InvalidThrottledMethodException.class)
			.isThrownBy(() -> verify(Three.class, Four.class))
			.withMessage(
					"Method ThrottledMethodVerifierTests.Four.call of bean 'bean1': 'value = \"s\"' of @Semaphore(\"s\")"
							+ " is defined here as Semaphore[limit=4], and by another annotation as Semaphore[limit=3]")
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("Define it once, best in sluice.throttles.s.*, and only name it elsewhere."));
	}

	@Test
	void annotationDefinesALimitThatAnotherNames() {
		verify(NamesOnly.class, Three.class);
		assertThat(this.manager.get("s").limit()).isEqualTo(Limit.semaphore(3));
	}

	@Test
	void limitFromElsewherePrecedesThatOfTheAnnotation() {
		this.manager.addOrUpdate("s", Limit.semaphore(9));
		verify(Three.class);
		assertThat(this.manager.get("s").limit()).isEqualTo(Limit.semaphore(9));
	}

	@ParameterizedTest
	@MethodSource
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOfAMethodThatNoProxySees(Class<?> type, String obstacle, CapturedOutput output) {
		verify(type);
		assertThat(output).contains(
				type.getName() + ".call of bean 'bean' is not limited as its annotations require: it is " + obstacle);
	}

	static Stream<Arguments> warnsOfAMethodThatNoProxySees() {
		return Stream.of(arguments(Private.class, "private, and proxies do not intercept its calls"),
				arguments(Static.class, "static, and proxies do not intercept its calls"),
				arguments(Final.class, "final, and proxies do not intercept its calls"), arguments(Callback.class,
						"a callback, which is called without permits (for messages, wrap the handler)"));
	}

	private void verify(Class<?>... types) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		for (int i = 0; i < types.length; i++) {
			beanFactory.registerBeanDefinition((i > 0) ? "bean" + i : "bean", new RootBeanDefinition(types[i]));
		}
		ThrottleGate gate = ThrottleGate.builder(this.manager).beans(beanFactory).placeholders((text) -> {
			if (text.contains("${missing}")) {
				throw new IllegalArgumentException(text);
			}
			return text;
		}).build();
		new ThrottledMethodVerifier(beanFactory, gate, (method, type) -> type == Callback.class)
			.afterSingletonsInstantiated();
		assertThat(beanFactory.getSingletonNames()).isEmpty();
	}

	static class Undefined {

		@Throttled("unknown")
		void call() {
		}

	}

	static class Nameless {

		@Throttled("")
		void call() {
		}

	}

	static class NoPlaceholder {

		@Mutex("${missing}")
		void call() {
		}

	}

	static class OtherKind {

		@Semaphore("rate")
		void call() {
		}

	}

	static class OtherType {

		@Throttled(value = "a", type = LimitType.SEMAPHORE, limit = 1)
		void call() {
		}

	}

	static class NoPeriod {

		@Throttled(value = "a", limit = 1)
		void call() {
		}

	}

	static class UnknownOption {

		@Throttled(value = "a", limit = 1, period = "1s", buckets = 3)
		void call() {
		}

	}

	static class OutOfRange {

		@Throttled(value = "a", limit = 0, period = "1s")
		void call() {
		}

	}

	static class NoTime {

		@Throttled(value = "a", limit = 1, period = "soon")
		void call() {
		}

	}

	static class BadKey {

		@Mutex(value = "m", key = "#b")
		void call(String a) {
		}

	}

	static class BadPermits {

		@Semaphore(value = "s", limit = 1, permits = "@bean")
		void call() {
		}

	}

	static class TooManyPermits {

		@Throttled(value = "rate", permits = "2")
		void call() {
		}

	}

	static class TooManyAtOnce {

		@Throttled(value = "many", limit = 100_000, period = "1m", permits = "20000")
		public void call() {
		}

	}

	static class NegativePermits {

		@Throttled(value = "rate", permits = "-1")
		void call() {
		}

	}

	static class TextPermits {

		@Throttled(value = "rate", permits = "#text")
		void call(String text) {
		}

	}

	static class TwiceOne {

		@Throttled("rate")
		@Throttled("rate")
		void call() {
		}

	}

	static class NoOwner {

		@Mutex(value = "m", mode = Mode.ACQUIRE)
		void call() {
		}

	}

	static class PermitsOfRelease {

		@Semaphore(value = "s", limit = 3, permits = "2", mode = Mode.RELEASE, owner = "#a")
		void call(String a) {
		}

	}

	static class Mixture {

		@Semaphore(value = "s", limit = 3)
		@Mutex(value = "m", mode = Mode.ACQUIRE, owner = "#a")
		void call(String a) {
		}

	}

	static class NoWait {

		@Mutex("m")
		@WhenThrottled(maxWait = "1s")
		void call() {
		}

	}

	static class NegativeWait {

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "-1s")
		void call() {
		}

	}

	static class DropInt {

		@Mutex("m")
		@WhenThrottled(action = Action.DROP)
		int call() {
			return 1;
		}

	}

	static class NoFallback {

		@Mutex("m")
		@WhenThrottled(fallback = "later")
		CompletableFuture<String> call(String name, int count) {
			return later(name, String.valueOf(count));
		}

		CompletableFuture<String> later(String name, String count) {
			return CompletableFuture.completedFuture(name + count);
		}

	}

	static class NoFallbackBean {

		@Mutex("m")
		@WhenThrottled(fallback = "apologies.later")
		void call() {
		}

	}

	static class NotLimited {

		@WhenThrottled(action = Action.DROP)
		void call() {
		}

	}

	static class Three {

		@Semaphore(value = "s", limit = 3)
		void call() {
		}

	}

	static class Four {

		@Semaphore(value = "s", limit = 4)
		void call() {
		}

	}

	static class NamesOnly {

		@Semaphore("s")
		void call() {
		}

	}

	static class Private {

		@Mutex("m")
		@SuppressWarnings("unused")
		private void call() {
		}

	}

	static class Static {

		@Mutex("m")
		static void call() {
		}

	}

	static class Final {

		@Mutex("m")
		final void call() {
		}

	}

	static class Callback {

		@Mutex("m")
		void call() {
		}

	}

	static class PlainRetry {

		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY)
		void call() {
		}

	}

	static class NoRetry {

		@Throttled("rate")
		@WhenThrottled(action = Action.WAIT, delay = "1s")
		void call() {
		}

	}

	static class NoRetries {

		@Throttled("rate")
		@WhenThrottled(maxRetries = 2)
		void call() {
		}

	}

	static class NoDelay {

		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY, delay = "0s")
		void call() {
		}

	}

	static class NeverAgain {

		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY, maxRetries = 0)
		void call() {
		}

	}

	static class Retrying {

		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY)
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("done");
		}

		@Async
		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY)
		void async() {
		}

		@MessageMapping
		@Throttled("rate")
		@WhenThrottled(action = Action.RETRY)
		void message() {
		}

	}

}
