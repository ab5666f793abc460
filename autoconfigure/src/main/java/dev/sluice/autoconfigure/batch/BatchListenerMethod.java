package dev.sluice.autoconfigure.batch;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.batch.BatchPump;
import dev.sluice.batch.CancellationSignal;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Method that takes batches.
 *
 * @param batch the name of the batch
 * @param beanName the bean that has the method
 * @param beanType the class of that bean
 * @param method the method
 */
record BatchListenerMethod(String batch, String beanName, Class<?> beanType, Method method) implements BatchTarget {

	/**
	 * Checks the method.
	 */
	BatchListenerMethod {
		String place = place(beanName, method);
		if (batch.isBlank()) {
			throw new InvalidConfigurationException(place + " listens to a batch without a name",
					"Name the batch, as in @BatchListener(\"orders\").");
		}
		if (count(method, List.class) != 1) {
			throw new InvalidConfigurationException(place + " must have one parameter of type List, the items",
					"Declare it as " + method.getName() + "(List<T> items).");
		}
		if (method.getParameterCount() > 1 + count(method, int.class) + count(method, CancellationSignal.class)
				|| count(method, int.class) > 1 || count(method, CancellationSignal.class) > 1) {
			throw new InvalidConfigurationException(place + " has a parameter that is not supported",
					"Leave the List of the items and, if wanted, one int, the slot, and one CancellationSignal.");
		}
		if (method.getReturnType() != void.class && !CompletionStage.class.isAssignableFrom(method.getReturnType())) {
			throw new InvalidConfigurationException(
					place + " returns " + ClassUtils.getShortName(method.getReturnType()) + ", which is not supported",
					"Return nothing, or a CompletionStage that ends when the batch has been dealt with.");
		}
		if (method.getReturnType() == void.class && (isAsync(method) || isAsync(beanType))) {
			throw new InvalidConfigurationException(
					place + " is @Async, so that a batch would end before it is dealt with",
					"Remove @Async, as a batch has threads of its own, or return a CompletionStage.");
		}
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw new InvalidConfigurationException(place + " must not be private or static",
					"Make it a method that a proxy of the bean can override.");
		}
	}

	private static boolean isAsync(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class);
	}

	private static long count(Method method, Class<?> type) {
		return Arrays.stream(method.getParameterTypes()).filter(type::equals).count();
	}

	@Override
	public ResolvableType itemType() {
		int items = IntStream.range(0, this.method.getParameterCount())
			.filter((index) -> this.method.getParameterTypes()[index] == List.class)
			.findFirst()
			.orElseThrow();
		return ResolvableType.forMethodParameter(this.method, items, this.beanType).getGeneric();
	}

	@Override
	public String place() {
		return place(this.beanName, this.method);
	}

	private static String place(String beanName, Method method) {
		return "Method " + ClassUtils.getShortName(method.getDeclaringClass()) + '.' + method.getName() + " of bean '"
				+ beanName + "'";
	}

	@Override
	public BatchPump<Object> pump(BeanFactory beans, Executor workers) {
		Object bean = beans.getBean(this.beanName);
		Method callable = AopUtils.selectInvocableMethod(this.method, bean.getClass());
		ReflectionUtils.makeAccessible(callable);
		ListenerCall call = new ListenerCall(bean, callable);
		boolean blocks = callable.getReturnType() == void.class;
		return BatchPump.copying(BatchPump.cancellable((items, slot, cancellation) -> blocks
				? call.run(items, slot, cancellation, workers) : call.start(items, slot, cancellation)));
	}

}
