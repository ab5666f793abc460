package dev.sluice.autoconfigure.websocket;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import org.reactivestreams.Publisher;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import org.springframework.web.service.annotation.HttpExchange;

/**
 * Handler methods of controllers that Spring WebFlux can call, and Spring MVC cannot: it
 * has nothing to give them for a parameter. The return types of methods are no evidence,
 * because Spring MVC supports reactive results as well.
 */
final class ReactiveHandlerMethods {

	private static final List<Class<?>> TYPES = List.of(Part.class, ServerHttpRequest.class, ServerHttpResponse.class,
			ServerWebExchange.class, WebSession.class);

	private ReactiveHandlerMethods() {
	}

	/** Whether a type is a controller with such methods. */
	static boolean has(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, Controller.class) && !MethodIntrospector
			.selectMethods(ClassUtils.getUserClass(type), (MethodFilter) ReactiveHandlerMethods::isReactive)
			.isEmpty();
	}

	private static boolean isReactive(Method method) {
		return (AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
				|| AnnotatedElementUtils.hasAnnotation(method, HttpExchange.class))
				&& Stream.of(new AnnotatedMethod(method).getMethodParameters())
					.anyMatch(ReactiveHandlerMethods::isReactive);
	}

	private static boolean isReactive(MethodParameter parameter) {
		return isReactive(ResolvableType.forMethodParameter(parameter))
				|| isContent(parameter) && Publisher.class.isAssignableFrom(parameter.getParameterType());
	}

	private static boolean isReactive(ResolvableType type) {
		return TYPES.stream().anyMatch((reactive) -> reactive.isAssignableFrom(type.toClass()))
				|| Stream.of(type.getGenerics()).anyMatch(ReactiveHandlerMethods::isReactive);
	}

	private static boolean isContent(MethodParameter parameter) {
		return parameter.hasParameterAnnotation(RequestBody.class)
				|| parameter.hasParameterAnnotation(RequestPart.class);
	}

}
