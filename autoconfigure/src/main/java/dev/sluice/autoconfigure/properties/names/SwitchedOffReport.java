package dev.sluice.autoconfigure.properties.names;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.properties.BooleanProperty;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Logs the beans whose annotations have no effect, because a property switches their part
 * off. Only types are inspected: no bean is created for it.
 */
final class SwitchedOffReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(SwitchedOffReport.class);

	private static final List<Class<? extends Annotation>> LIMITS = List.of(Throttled.class, Semaphore.class,
			Mutex.class);

	/** The annotation of endpoints, unless their module is missing. */
	private static final List<Class<? extends Annotation>> ENDPOINTS = find("dev.sluice.websocket.WebSocketEndpoint");

	/** The annotations that each switch affects; the first switch that is off counts. */
	private static final Map<String, List<Class<? extends Annotation>>> SWITCHES = new TreeMap<>(
			Map.of("sluice.annotations.enabled", LIMITS, "sluice.enabled",
					Stream.of(LIMITS, List.of(BatchListener.class), ENDPOINTS)
						.<Class<? extends Annotation>>flatMap(List::stream)
						.toList(),
					"sluice.websocket.enabled", ENDPOINTS));

	private final ConfigurableListableBeanFactory beanFactory;

	private final Environment environment;

	SwitchedOffReport(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	static boolean anyOff(Environment environment) {
		return SWITCHES.keySet().stream().anyMatch((name) -> isOff(environment, name));
	}

	private static boolean isOff(Environment environment, String name) {
		return !BooleanProperty.isOn(environment, name, true);
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (isOff(this.environment, "sluice.enabled")) {
			report("sluice.enabled");
			return;
		}
		SWITCHES.keySet().stream().filter((name) -> isOff(this.environment, name)).forEach(this::report);
	}

	private void report(String name) {
		List<Class<? extends Annotation>> annotations = SWITCHES.getOrDefault(name, List.of());
		Map<String, String> beans = new TreeMap<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (type != null && !ScopedProxyUtils.isScopedTarget(beanName)) {
				String present = present(type, annotations);
				if (!present.isEmpty()) {
					beans.put(beanName, present);
				}
			}
		}
		if (!beans.isEmpty()) {
			logger.info("Property '" + name + "' is false: annotations have no effect on the beans "
					+ beans.entrySet()
						.stream()
						.map((bean) -> "'" + bean.getKey() + "' (" + bean.getValue() + ")")
						.collect(Collectors.joining(", ")));
		}
	}

	private static List<Class<? extends Annotation>> find(String name) {
		ClassLoader classLoader = SwitchedOffReport.class.getClassLoader();
		return ClassUtils.isPresent(name, classLoader)
				? List.of(ClassUtils.resolveClassName(name, classLoader).asSubclass(Annotation.class)) : List.of();
	}

	private static String present(Class<?> type, List<Class<? extends Annotation>> annotations) {
		if (!AnnotationUtils.isCandidateClass(type, annotations)
				|| type.getName().startsWith("org.springframework.boot.")) {
			return "";
		}
		return annotations.stream()
			.filter((annotation) -> isPresent(type, annotation))
			.map((annotation) -> "@" + annotation.getSimpleName())
			.collect(Collectors.joining(", "));
	}

	private static boolean isPresent(Class<?> type, Class<? extends Annotation> annotation) {
		return isCarried(type, annotation)
				|| !MethodIntrospector.selectMethods(type, (MethodFilter) (method) -> isCarried(method, annotation))
					.isEmpty();
	}

	private static boolean isCarried(AnnotatedElement element, Class<? extends Annotation> annotation) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
	}

}
