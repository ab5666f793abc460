package dev.sluice.websocket.stomp;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.SimpMessageMappingInfo;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.messaging.simp.broker.AbstractBrokerMessageHandler;
import org.springframework.messaging.simp.user.DefaultUserDestinationResolver;
import org.springframework.util.ClassUtils;

/**
 * Report of STOMP destinations that nothing serves: results that no broker delivers, and
 * methods whose destination repeats the prefix of the application. STOMP has no error for
 * them.
 *
 * @since 0.1.0
 */
public final class DestinationsReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(DestinationsReport.class);

	private static final List<Class<? extends Annotation>> LIMITS = List.of(Throttled.class, Semaphore.class,
			Mutex.class);

	private final ListableBeanFactory beans;

	/**
	 * Creates the report.
	 * @param beans has the brokers and the methods
	 */
	public DestinationsReport(ListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Collection<AbstractBrokerMessageHandler> brokers = this.beans.getBeansOfType(AbstractBrokerMessageHandler.class)
			.values();
		Collection<String> served = new TreeSet<>();
		brokers.forEach((broker) -> served.addAll(broker.getDestinationPrefixes()));
		Collection<String> users = userPrefixes();
		boolean any = brokers.isEmpty()
				|| brokers.stream().anyMatch((broker) -> broker.getDestinationPrefixes().isEmpty());
		this.beans.getBeansOfType(SimpAnnotationMethodMessageHandler.class)
			.values()
			.forEach((handler) -> handler.getHandlerMethods().forEach((mapping, method) -> {
				if (!any) {
					reportResults(method.getMethod(), served, users);
					reportRejections(method.getMethod(), served);
				}
				reportMapping(method.getMethod(), mapping, handler.getDestinationPrefixes());
			}));
	}

	/** Returns the prefixes of destinations of users, which are translated. */
	private Collection<String> userPrefixes() {
		return this.beans.getBeansOfType(DefaultUserDestinationResolver.class)
			.values()
			.stream()
			.map(DefaultUserDestinationResolver::getDestinationPrefix)
			.toList();
	}

	private static void reportResults(Method method, Collection<String> served, Collection<String> users) {
		Stream.concat(destinations(method), destinations(method.getDeclaringClass()))
			.filter((destination) -> users.stream().noneMatch(destination::startsWith)
					&& !isServed(destination, served))
			.forEach((destination) -> logger
				.warn("The result of method " + ClassUtils.getQualifiedMethodName(method) + " is sent to '"
						+ destination + "', which no broker serves; the prefixes of brokers are " + served));
	}

	/** The application may answer rejected messages itself. */
	private void reportRejections(Method method, Collection<String> served) {
		if (LIMITS.stream()
			.noneMatch((limit) -> AnnotatedElementUtils.hasAnnotation(method, limit)
					|| AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), limit))) {
			return;
		}
		this.beans.getBeansOfType(ThrottledMessageAdvice.class)
			.values()
			.stream()
			.filter((advice) -> advice.action() == StompThrottled.USER_QUEUE && !isServed(advice.destination(), served))
			.forEach((advice) -> logger.warn("Rejected messages of method " + ClassUtils.getQualifiedMethodName(method)
					+ " are answered at '" + advice.destination() + "' of the user, which no broker serves; the "
					+ "prefixes of brokers are " + served
					+ ". Add one, or set 'sluice.websocket.stomp.throttled-destination'"));
	}

	/** A variable may stand for any text. */
	private static boolean isServed(String destination, Collection<String> served) {
		String fixed = destination.replaceFirst("\\$?\\{.*", "");
		return served.stream()
			.anyMatch((prefix) -> fixed.startsWith(prefix)
					|| fixed.length() < destination.length() && prefix.startsWith(fixed));
	}

	private static Stream<String> destinations(AnnotatedElement element) {
		SendTo all = AnnotatedElementUtils.findMergedAnnotation(element, SendTo.class);
		SendToUser user = AnnotatedElementUtils.findMergedAnnotation(element, SendToUser.class);
		return Stream.concat(Stream.ofNullable(all).flatMap((annotation) -> Stream.of(annotation.value())),
				Stream.ofNullable(user).flatMap((annotation) -> Stream.of(annotation.value())));
	}

	/** Destinations are the same with the prefix "/" as without it. */
	private static void reportMapping(Method method, SimpMessageMappingInfo mapping, Collection<String> prefixes) {
		for (String pattern : mapping.getDestinationConditions().getPatterns()) {
			List<String> repeated = prefixes.stream()
				.filter((prefix) -> !prefix.equals("/") && pattern.startsWith(prefix))
				.toList();
			if (!repeated.isEmpty()) {
				logger.warn("The destination '" + pattern + "' of method " + ClassUtils.getQualifiedMethodName(method)
						+ " begins with the prefix of the application, so that clients send to '"
						+ repeated.get(0).replaceFirst("/$", "") + pattern
						+ "'. Remove the prefix, unless this is intended");
			}
		}
	}

}
