package dev.sluice.aop.internal.result;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.BaseStream;

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
public record DeclaredResults(DeferredResults deferred) {

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Mono",
			DeclaredResults.class.getClassLoader());

	/**
	 * Returns the kind of a method's result.
	 * @param held whether its calls hold permits until their results have ended
	 * @throws InvalidThrottledMethodException if the end of its results cannot be
	 * detected
	 */
	public ResultType of(Method method, boolean held) {
		if (SuspendFunctions.is(method) && (held || SuspendFunctions.isCallable(method))) {
			return suspended(method, held);
		}
		Class<?> type = method.getReturnType();
		if (Set.of(CompletionStage.class, CompletableFuture.class).contains(type)) {
			return new StageResult(ResolvableType.forMethodReturnType(method).getGeneric().toClass());
		}
		if (REACTOR && ReactiveResult.supports(type)) {
			return ReactiveResult.of(type);
		}
		if (REACTOR && FlowResult.supports(type)) {
			return FlowResult.of(type);
		}
		if (held && this.deferred.handles(method)) {
			return new PlainResult(type, this::follow);
		}
		Class<?> declared = held ? DeferredTypes.declaredBy(method) : null;
		if (declared != null) {
			throw undetected(method, "the " + declared.getSimpleName() + " that it returns",
					FlowResult.isFlow(declared) ? "Add kotlinx-coroutines-reactor to the class path."
							: "Put the annotation on a handler method of Spring MVC, or return a CompletionStage,"
									+ " Mono or Flux.");
		}
		if (held && BaseStream.class.isAssignableFrom(type)) {
			throw undetected(method, "the " + type.getSimpleName() + " that it returns",
					"Return a collection or a Flux, as a stream is read after the method has returned.");
		}
		return new PlainResult(type, GatedCall::followStage);
	}

	private static ResultType suspended(Method method, boolean held) {
		if (!SuspendFunctions.isCallable(method)) {
			throw undetected(method, "a suspend function",
					"Add kotlin-reflect and kotlinx-coroutines-reactor to the class path; a method of Java with a"
							+ " continuation cannot be limited.");
		}
		Class<?> content = SuspendFunctions.resultType(method);
		if (held && !FlowResult.isFlow(content)
				&& (CompletionStage.class.isAssignableFrom(content) || DeferredTypes.declaredBy(method) != null)) {
			throw undetected(method, "the " + content.getSimpleName() + " that it returns",
					"Return the value itself, or a Flow, or remove 'suspend'.");
		}
		return ReactiveResult.ofSuspended(content);
	}

	private static InvalidThrottledMethodException undetected(Method method, String what, String remedy) {
		return new InvalidThrottledMethodException(method, null,
				"has a semaphore or mutex, but the end of " + what + " cannot be detected", remedy);
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
