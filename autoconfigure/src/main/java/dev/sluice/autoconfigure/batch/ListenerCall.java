package dev.sluice.autoconfigure.batch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import dev.sluice.batch.CancellationSignal;
import org.jspecify.annotations.Nullable;

/** Calls the method that receives batches. */
final class ListenerCall {

	private final Object bean;

	private final Method method;

	private final Class<?>[] parameterTypes;

	ListenerCall(Object bean, Method method) {
		this.bean = bean;
		this.method = method;
		this.parameterTypes = method.getParameterTypes();
	}

	/** Calls a method that returns a stage. */
	CompletionStage<?> start(List<Object> items, int slot, CancellationSignal cancellation) throws Exception {
		if (call(items, slot, cancellation) instanceof CompletionStage<?> stage) {
			return stage;
		}
		throw new IllegalStateException("Method " + this.method + " returned no stage");
	}

	/** Calls a method that has processed the batch when it returns. */
	CompletionStage<?> run(List<Object> items, int slot, CancellationSignal cancellation, Executor workers) {
		return CompletableFuture.runAsync(() -> {
			try {
				call(items, slot, cancellation);
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}, workers);
	}

	private @Nullable Object call(List<Object> items, int slot, CancellationSignal cancellation) throws Exception {
		Object[] arguments = Arrays.stream(this.parameterTypes)
			.map((type) -> (type == List.class) ? items : (type == int.class) ? slot : cancellation)
			.toArray();
		try {
			return this.method.invoke(this.bean, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getTargetException() instanceof Error error) {
				throw error;
			}
			throw (Exception) ex.getTargetException();
		}
	}

}
