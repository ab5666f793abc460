package dev.sluice.autoconfigure.annotation;

import java.lang.reflect.Method;
import java.util.function.Consumer;

import dev.sluice.aop.spi.DeferredResults;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Follows the result of a Spring MVC handler method until its asynchronous processing
 * ends. If asynchronous processing does not start, the result ends with its request.
 */
final class RequestResults implements DeferredResults {

	@Override
	public boolean handles(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
				|| ServerResponse.class.isAssignableFrom(method.getReturnType());
	}

	@Override
	public void follow(Object result, Consumer<Boolean> end) {
		@Nullable RequestAttributes current = RequestContextHolder.getRequestAttributes();
		if (!(current instanceof ServletRequestAttributes attributes)) {
			throw new IllegalStateException("A " + ClassUtils.getShortName(result.getClass())
					+ " that holds permits was returned on a thread that handles no request");
		}
		RequestResult following = new RequestResult(end);
		WebAsyncManager processing = WebAsyncUtils.getAsyncManager(attributes.getRequest());
		processing.registerCallableInterceptor(following, following);
		processing.registerDeferredResultInterceptor(following, following);
		attributes.registerDestructionCallback(following.name(), () -> {
			if (!processing.isConcurrentHandlingStarted()) {
				following.completed();
			}
		}, RequestAttributes.SCOPE_REQUEST);
	}

}
