package dev.sluice.aop.internal.result;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.aop.internal.call.CallRun;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.spi.DeferredResults;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Kinds of results that methods declare.
 *
 * @param deferred follows results that others continue to process
 */
public record ResultTypes(DeferredResults deferred) {

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Mono",
			ResultTypes.class.getClassLoader());

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	/**
	 * Returns the kind of a method's result.
	 * @param held whether its calls hold permits until their results have ended
	 * @throws InvalidThrottledMethodException if the end of its results cannot be
	 * detected
	 */
	public ResultType of(Method method, boolean held) {
		if (held && isSuspending(method)) {
			throw new InvalidThrottledMethodException(method, null,
					"has a semaphore or mutex, but the end of a suspend function cannot be detected",
					"Return a CompletableFuture or a Mono, for example with future { } of kotlinx-coroutines.");
		}
		Class<?> type = method.getReturnType();
		if (Set.of(CompletionStage.class, CompletableFuture.class).contains(type)) {
			return new StageResult(ResolvableType.forMethodReturnType(method).getGeneric().toClass());
		}
		if (REACTOR && ReactiveResult.supports(type)) {
			return new ReactiveResult(type);
		}
		if (held && this.deferred.handles(method)) {
			return new PlainResult(type, this::follow);
		}
		Class<?> declared = held ? DeferredTypes.declaredBy(method) : null;
		if (declared != null) {
			throw new InvalidThrottledMethodException(method, null,
					"has a semaphore or mutex, but the end of the " + declared.getSimpleName()
							+ " that it returns cannot be detected",
					"Put the annotation on a handler method of Spring MVC, or return a CompletionStage, Mono or Flux.");
		}
		return new PlainResult(type, GatedCall::followStage);
	}

	/**
	 * Returns whether a method is a suspend function of Kotlin, which may not be present.
	 */
	private static boolean isSuspending(Method method) {
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION);
	}

	private void follow(@Nullable Object result, CallRun run) {
		if (result != null && DeferredTypes.isDeferred(result)) {
			this.deferred.follow(result,
					(failed) -> run.end(failed ? new CancellationException("The result failed") : null));
		}
		else {
			GatedCall.followStage(result, run);
		}
	}

}
