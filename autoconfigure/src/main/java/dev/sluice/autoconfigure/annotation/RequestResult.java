package dev.sluice.autoconfigure.annotation;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;

/**
 * Waits for the end of one result in a request. Callables include the application's and
 * the writers of a streamed body; emitters are deferred results.
 */
final class RequestResult implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	/*
	 * The result ends once: with its value, or with the request, which may time out, lose
	 * its client, or never come to processing the result. The end of the request does not
	 * end a callable that runs, because nothing stops it: the callable ends when it
	 * returns. A callable that has not begun when the request ends must not begin. All
	 * guarded by "this", but the callback is called outside. Attacked by
	 * RequestResultTests.
	 */

	private final Consumer<Boolean> end;

	private boolean running;

	private boolean ended;

	RequestResult(Consumer<Boolean> end) {
		this.end = end;
	}

	/** A unique name among the attributes of the request. */
	String name() {
		return RequestResult.class.getName() + '@' + ObjectUtils.getIdentityHexString(this);
	}

	@Override
	public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
		synchronized (this) {
			if (this.ended) {
				throw new CancellationException("The request has ended");
			}
			this.running = true;
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object concurrentResult) {
		end(concurrentResult instanceof Throwable, true);
	}

	@Override
	public <T> void afterCompletion(NativeWebRequest request, Callable<T> task) {
		completed();
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, DeferredResult<T> result, @Nullable Object concurrentResult) {
		end(concurrentResult instanceof Throwable, true);
	}

	@Override
	public <T> void afterCompletion(NativeWebRequest request, DeferredResult<T> result) {
		completed();
	}

	/** The request has completed, or continues without the result. */
	void completed() {
		end(true, false);
	}

	private void end(boolean failed, boolean returned) {
		synchronized (this) {
			if (this.ended || this.running && !returned) {
				return;
			}
			this.ended = true;
		}
		this.end.accept(failed);
	}

}
