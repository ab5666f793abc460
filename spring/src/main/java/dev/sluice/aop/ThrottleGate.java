package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRetries;
import dev.sluice.aop.internal.call.CallRun;
import dev.sluice.aop.internal.call.PermitGate;
import dev.sluice.aop.internal.call.StagedCall;
import dev.sluice.aop.internal.method.LimitAnnotations;
import dev.sluice.aop.internal.method.MethodCall;
import dev.sluice.aop.internal.method.ThrottledMethod;
import dev.sluice.aop.internal.method.ThrottledMethods;
import dev.sluice.aop.internal.result.ResultType;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.DeferredResults;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.internal.GuardedClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.StringValueResolver;

/**
 * Gate before limited methods, which acquires the permits that their annotations require.
 * The advisor enters it for every bean method; a dispatcher that calls methods by other
 * ways enters it itself (see {@link DispatchedMethods}). Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ThrottleGate implements AutoCloseable {

	/*
	 * "admits" is set before the first admission exists and is never cleared, so a thread
	 * with an admission reads that it is set. "dispatched" has answers that depend on the
	 * method only. Attacked by DispatchedCallTests and NestedCallsTests.
	 */

	private final ThrottledMethods methods;

	private final PermitGate permits;

	private final Consumer<Set<String>> onVerified;

	private final Map<DispatchedMethod, Boolean> dispatched = new ConcurrentHashMap<>();

	/** Whether a thread may have an admission; if not, the check is skipped. */
	private volatile boolean admits;

	private ThrottleGate(Builder builder) {
		this.methods = new ThrottledMethods(builder.manager, builder.placeholders, builder.defaults, builder.beans,
				builder.deferredResults, builder.onDefined);
		this.permits = new PermitGate(builder.manager, builder.blockingWaits, builder.observer,
				new CallRetries(builder.clock, builder.executor), builder.context);
		this.onVerified = builder.onVerified;
	}

	/**
	 * Starts to build a gate.
	 * @param manager the manager of the limits; limits that annotations define are added
	 * to it
	 * @return a builder
	 */
	public static Builder builder(ThrottlingManager manager) {
		return new Builder(manager);
	}

	/**
	 * Returns whether annotations limit a method that a dispatcher calls. May be called
	 * before the limits are defined: the annotations are verified once all singletons
	 * exist.
	 * @param method the method
	 * @param targetClass the class of the called object, not of a proxy around it
	 * @return whether the dispatcher has to {@link #call call} it through the gate
	 */
	public boolean guards(Method method, Class<?> targetClass) {
		DispatchedMethod dispatched = new DispatchedMethod(AopUtils.getMostSpecificMethod(method, targetClass),
				targetClass);
		return this.dispatched.computeIfAbsent(dispatched, (added) -> LimitAnnotations.present(added.method()));
	}

	/**
	 * Calls a method behind the gate as its annotations specify: immediately, when its
	 * turn comes, or not at all. Never blocks for a permit; a call that had to wait runs
	 * on the completion executor of the limits. The body must not reach the method
	 * through a proxy that limits it as well: see {@link DispatchedMethods} and
	 * {@link #admit}.
	 * @param method the method
	 * @param target the called object, or a proxy around it
	 * @param arguments the arguments of the call
	 * @param variables the variables of expressions in addition to the arguments:
	 * {@code session}, {@code principal}, {@code headers}
	 * @param body calls the method
	 * @return a future for the result; if the body returns a stage, for the result of the
	 * stage; {@code null} as the result if the call is skipped. Fails with a
	 * {@link dev.sluice.throttle.ThrottledException} if the call is rejected. Cancelling
	 * it leaves the line, or cancels the stage.
	 * @throws IllegalArgumentException if the method has no {@link #guards limits}
	 * @throws InvalidThrottledMethodException if the annotations cannot be applied
	 * @throws IllegalStateException if an expression fails or returns {@code null}
	 */
	public CompletableFuture<@Nullable Object> call(Method method, Object target, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables, Callable<?> body) {
		return new StagedCall(dispatch(method, target, arguments, variables, body::call)).start();
	}

	/**
	 * Consults the limits of a method for a call that will reach it through the bean's
	 * proxy. Never blocks; with {@code WAIT}, the future completes later.
	 * @param method the method
	 * @param target the called object, or a proxy around it
	 * @param arguments the arguments of the call
	 * @param variables as for {@link #call}
	 * @return a future for the admission, which may be a rejection; after a wait it
	 * completes on the completion executor of the limits. The receiver runs the call with
	 * it. Cancelling the future leaves the line.
	 * @throws IllegalArgumentException if the method has no {@link #guards limits}
	 * @throws InvalidThrottledMethodException if the annotations cannot be applied
	 * @throws IllegalStateException if an expression fails or returns {@code null}
	 */
	public CompletableFuture<Admission> admit(Method method, Object target, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables) {
		return admit(get(method, target), target, arguments, variables);
	}

	private CompletableFuture<Admission> admit(ThrottledMethod found, @Nullable Object target,
			@Nullable Object[] arguments, Map<String, ? extends @Nullable Object> variables) {
		if (!found.result().entersOnce()) {
			return CompletableFuture.completedFuture(Admission.NONE);
		}
		this.admits = true;
		MethodCall call = new MethodCall(found, this.permits, target, arguments, variables, () -> null, () -> null);
		CallRun run = call.begin();
		CompletableFuture<Permit> entering;
		try {
			entering = call.enterLater(run);
		}
		catch (Throwable ex) {
			run.end(ex);
			throw ex;
		}
		CompletableFuture<Admission> answer = new CompletableFuture<>();
		answer.whenComplete((admission, failure) -> entering.cancel(false));
		entering.whenComplete((permit, failure) -> {
			Admission admission = new Admission(found.method(), variables, entering, call.asked(), run);
			if (permit != null && !run.granted(permit) || !answer.complete(admission)) {
				admission.release();
			}
		});
		return answer;
	}

	private MethodCall dispatch(Method method, Object target, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables, CallBody body) {
		Object bean = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(target), target);
		return new MethodCall(get(method, target), this.permits, bean, arguments, variables, body, () -> null);
	}

	private ThrottledMethod get(Method method, Object target) {
		ThrottledMethod found = this.methods.find(method, AopUtils.getTargetClass(target));
		if (found == null) {
			throw new IllegalArgumentException("Nothing limits " + method);
		}
		return found;
	}

	/**
	 * Rejects the calls that wait for a retry, and every later call that would retry. The
	 * {@link ThrottlingManager} rejects the calls that wait in line.
	 */
	@Override
	public void close() {
		this.permits.retries().close();
	}

	/** Calls a bean method behind the gate, according to the type of its result. */
	@Nullable Object call(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		ThrottledMethod found = find(invocation);
		if (found == null) {
			return invocation.proceed();
		}
		Admission admission = this.admits ? Admission.take(found.method()) : null;
		Decision decision = (admission == null) ? found.decide(invocation.getArguments()) : null;
		if (decision != null && decision.admitted()) {
			return invocation.proceed();
		}
		ResultType result = found.result();
		MethodCall call = (admission != null)
				? new AdmittedCall(found, this.permits, target, invocation.getArguments(), result.body(invocation),
						result::empty, admission)
				: new MethodCall(found, this.permits, target, invocation.getArguments(), Map.of(),
						result.body(invocation), result::empty);
		if (decision != null) {
			return result.reject(call, decision.throttled());
		}
		return (found.entersLater() && AsyncAdvice.surrounds(invocation)) ? result.runOnExecutor(call)
				: result.run(call);
	}

	/**
	 * Makes a call of an {@code @Async} method. A method that waits does so in line
	 * before it takes a thread; any other method consults the limits on the executor's
	 * thread.
	 */
	@Nullable Object callAsync(MethodInvocation invocation) throws Throwable {
		ThrottledMethod found = find(invocation);
		if (found == null || !found.entersLater() || !AsyncCall.supports(invocation.getMethod())
				|| !(invocation instanceof ProxyMethodInvocation proxied)) {
			return invocation.proceed();
		}
		ProxyMethodInvocation rest = (ProxyMethodInvocation) proxied.invocableClone();
		return new AsyncCall(rest, admitOrFail(found, invocation)).start(this.permits.context());
	}

	/** A failing expression fails on the thread that makes the call. */
	private CompletableFuture<Admission> admitOrFail(ThrottledMethod found, MethodInvocation invocation) {
		try {
			return admit(found, invocation.getThis(), invocation.getArguments(), Map.of());
		}
		catch (RuntimeException ex) {
			this.admits = true;
			return CompletableFuture.completedFuture(new Admission(found.method(), Map.of(),
					CompletableFuture.failedFuture(ex), new AcquireRequest[0], null));
		}
	}

	private @Nullable ThrottledMethod find(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		return this.methods.find(invocation.getMethod(), targetClass);
	}

	void define(Method method, Class<?> targetClass) {
		this.methods.define(method, targetClass);
	}

	/** Reads a method, so that its mistakes are found before the first call. */
	boolean verify(Method method, Class<?> targetClass) {
		return this.methods.find(method, targetClass) != null;
	}

	/** Ends the verification of methods. */
	void verified() {
		this.onVerified.accept(this.methods.resources());
	}

	/**
	 * Returns whether a method has the action {@code RETRY} although its callers block.
	 */
	boolean retriesInVain(Method method, Class<?> targetClass) {
		ThrottledMethod found = this.methods.find(method, targetClass);
		return found != null && found.retries() && !found.result().comesLater();
	}

	/** Returns the limited methods that dispatchers have registered. */
	List<DispatchedMethod> dispatched() {
		return this.dispatched.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
	}

	/**
	 * Builder of gates; not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private final ThrottlingManager manager;

		private StringValueResolver placeholders = (text) -> text;

		private ThrottlePolicy defaults = ThrottlePolicy.DEFAULTS;

		private BlockingWaits blockingWaits = BlockingWaits.unbounded();

		private LineObserver observer = LineObserver.NONE;

		private TaskDecorator context = PermitGate.NO_CONTEXT;

		private NanoClock clock = NanoClock.system();

		private Executor executor = ForkJoinPool.commonPool();

		private DeferredResults deferredResults = DeferredResults.NONE;

		private @Nullable BeanFactory beans;

		private Consumer<Throttle> onDefined = (throttle) -> {
		};

		private Consumer<Set<String>> onVerified = (names) -> {
		};

		private Builder(ThrottlingManager manager) {
			this.manager = Objects.requireNonNull(manager, "'manager' must not be null");
		}

		/**
		 * Sets the resolver of placeholders in annotations.
		 * @param placeholders the resolver; by default placeholders are not replaced
		 * @return this builder
		 */
		public Builder placeholders(StringValueResolver placeholders) {
			this.placeholders = Objects.requireNonNull(placeholders, "'placeholders' must not be null");
			return this;
		}

		/**
		 * Sets the policy for calls whose annotations do not specify one.
		 * @param defaults the policy; {@link ThrottlePolicy#DEFAULTS} by default
		 * @return this builder
		 */
		public Builder defaults(ThrottlePolicy defaults) {
			this.defaults = Objects.requireNonNull(defaults, "'defaults' must not be null");
			return this;
		}

		/**
		 * Sets the bound for the threads that block in line.
		 * @param blockingWaits the bound; none by default
		 * @return this builder
		 */
		public Builder blockingWaits(BlockingWaits blockingWaits) {
			this.blockingWaits = Objects.requireNonNull(blockingWaits, "'blockingWaits' must not be null");
			return this;
		}

		/**
		 * Sets the observer of calls that wait in line.
		 * @param observer the observer; none by default
		 * @return this builder
		 */
		public Builder observer(LineObserver observer) {
			this.observer = Objects.requireNonNull(observer, "'observer' must not be null");
			return this;
		}

		/**
		 * Sets the decorator that propagates the context of a caller (the security
		 * context, the logging context) to the thread that makes a call after a wait.
		 * @param context decorates the part after the wait, on the calling thread;
		 * nothing is propagated by default
		 * @return this builder
		 */
		public Builder context(TaskDecorator context) {
			this.context = Objects.requireNonNull(context, "'context' must not be null");
			return this;
		}

		/**
		 * Sets the clock for retries.
		 * @param clock the clock; {@link NanoClock#system()} by default
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = GuardedClock.of(Objects.requireNonNull(clock, "'clock' must not be null"));
			return this;
		}

		/**
		 * Sets the executor that retries calls and makes the admitted ones, unless they
		 * are {@code @Async}.
		 * @param executor the executor; the common pool by default
		 * @return this builder
		 */
		public Builder executor(Executor executor) {
			this.executor = Objects.requireNonNull(executor, "'executor' must not be null");
			return this;
		}

		/**
		 * Sets the follower of results that callers continue to process after a method
		 * has returned.
		 * @param results the follower; by default, methods that declare such a result
		 * cannot have semaphores or mutexes
		 * @return this builder
		 */
		public Builder deferredResults(DeferredResults results) {
			this.deferredResults = Objects.requireNonNull(results, "'results' must not be null");
			return this;
		}

		/**
		 * Sets the factory of the beans that fallbacks refer to.
		 * @param beans the beans; none by default
		 * @return this builder
		 */
		public Builder beans(BeanFactory beans) {
			this.beans = Objects.requireNonNull(beans, "'beans' must not be null");
			return this;
		}

		/**
		 * Sets the callback for each limit that an annotation defines, once it is
		 * defined.
		 * @param onDefined called on the thread that reads the annotation; none by
		 * default
		 * @return this builder
		 */
		public Builder onDefined(Consumer<Throttle> onDefined) {
			this.onDefined = Objects.requireNonNull(onDefined, "'onDefined' must not be null");
			return this;
		}

		/**
		 * Sets the callback for the names of the limits that annotations name, once a
		 * {@link ThrottledMethodVerifier} has verified the methods of all beans.
		 * @param onVerified called with the names; none by default
		 * @return this builder
		 */
		public Builder onVerified(Consumer<Set<String>> onVerified) {
			this.onVerified = Objects.requireNonNull(onVerified, "'onVerified' must not be null");
			return this;
		}

		/**
		 * Builds the gate.
		 * @return a new gate
		 */
		public ThrottleGate build() {
			return new ThrottleGate(this);
		}

	}

}
