package dev.sluice.aop.internal.result;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/**
 * The types of results that a framework continues to process after a method has returned.
 */
final class DeferredTypes {

	private static final List<Class<?>> TYPES = present("org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.function.ServerResponse",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody", "kotlinx.coroutines.Job",
			"kotlinx.coroutines.channels.ReceiveChannel", "kotlinx.coroutines.flow.Flow");

	private static final List<Class<?>> ENTITIES = present("org.springframework.http.HttpEntity");

	private DeferredTypes() {
	}

	private static List<Class<?>> present(String... names) {
		return Stream.of(names).<@Nullable Class<?>>map(DeferredTypes::find).filter(Objects::nonNull).toList();
	}

	private static @Nullable Class<?> find(String name) {
		try {
			return ClassUtils.forName(name, DeferredTypes.class.getClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return null;
		}
	}

	/**
	 * Returns the declared type of a method, alone or as the body of a response, if it is
	 * a deferred type; {@code null} otherwise.
	 */
	static @Nullable Class<?> declaredBy(Method method) {
		ResolvableType type = ResolvableType.forMethodReturnType(method);
		if (ENTITIES.stream().anyMatch((entity) -> entity.isAssignableFrom(type.toClass()))) {
			Class<?> body = type.as(ENTITIES.get(0)).getGeneric().toClass();
			return (contains(body) || CompletionStage.class.isAssignableFrom(body)) ? body : null;
		}
		return contains(type.toClass()) ? type.toClass() : null;
	}

	/**
	 * Returns whether a framework continues to process a result, or its body.
	 */
	static boolean isDeferred(Object result) {
		if (ENTITIES.isEmpty() || !ENTITIES.get(0).isInstance(result)) {
			return contains(result.getClass());
		}
		Object body = Entities.body(result);
		return body != null && contains(body.getClass());
	}

	private static boolean contains(Class<?> type) {
		return Callable.class.isAssignableFrom(type)
				|| TYPES.stream().anyMatch((deferred) -> deferred.isAssignableFrom(type))
				|| !CompletionStage.class.isAssignableFrom(type)
						&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/** Isolates references to a class that may not be on the class path. */
	private static final class Entities {

		static @Nullable Object body(Object entity) {
			return ((HttpEntity<?>) entity).getBody();
		}

	}

}
