package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.aop.internal.result.DeclaredResults;
import dev.sluice.aop.spi.DeferredResults;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringValueResolver;

/** Limited methods that have been read. Thread-safe. */
public final class ThrottledMethods {

	/*
	 * Each call looks its method up, and a proxy always passes the same Method object. An
	 * array therefore caches the last result for such an object, at an index derived from
	 * its identity. Creating, hashing and comparing a key for the map, which has all
	 * methods, costs a third of the cost of the limit.
	 *
	 * A method whose place in the array another method takes is found in the map again.
	 * The array is read and written without ordering: entries are immutable, so that a
	 * reader sees an entry either completely or not at all, and an outdated entry leads
	 * to a look-up in the map. Attacked by ThrottledMethodsTests.
	 */

	/** A power of two. */
	private static final int PLACES = 256;

	private final ThrottledMethodReader reader;

	private final Map<MethodClassKey, Optional<ThrottledMethod>> all = new ConcurrentHashMap<>();

	private final @Nullable Found[] last = new Found[PLACES];

	/**
	 * Creates an empty set of methods.
	 * @param placeholders replaces the placeholders in annotations
	 * @param defaults the policy for calls whose annotations do not specify one
	 * @param beans the factory of the beans that fallbacks refer to
	 * @param deferredResults follows results that callers continue to process
	 * @param onDefined called with each limit that an annotation defines
	 */
	public ThrottledMethods(ThrottlingManager manager, StringValueResolver placeholders, ThrottlePolicy defaults,
			@Nullable BeanFactory beans, DeferredResults deferredResults, Consumer<Throttle> onDefined) {
		this.reader = new ThrottledMethodReader(manager, placeholders, new LimitReader(manager, onDefined),
				new PolicyReader(defaults, new FallbackResolver(beans)), new DeclaredResults(deferredResults));
	}

	/** Defines the limits that the annotations of a method define. */
	public void define(Method method, Class<?> targetClass) {
		this.reader.define(AopUtils.getMostSpecificMethod(method, targetClass));
	}

	/**
	 * Finds a method, and reads it the first time.
	 * @param method the method, as a type of the target declares it
	 * @param targetClass the class of the object that is called
	 * @return the limited method, or {@code null} if it has no limits
	 * @throws InvalidThrottledMethodException if they cannot be followed
	 */
	public @Nullable ThrottledMethod find(Method method, Class<?> targetClass) {
		int place = System.identityHashCode(method) & PLACES - 1;
		Found found = this.last[place];
		if (found == null || found.method != method || found.targetClass != targetClass) {
			found = new Found(method, targetClass, read(method, targetClass).orElse(null));
			this.last[place] = found;
		}
		return found.throttled;
	}

	private Optional<ThrottledMethod> read(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Optional<ThrottledMethod> read = this.all.get(key);
		if (read == null) {
			read = this.reader.read(AopUtils.getMostSpecificMethod(method, targetClass));
			this.all.put(key, read);
		}
		return read;
	}

	/** Returns the names of the limits of all methods that have been read. */
	public Set<String> resources() {
		return this.all.values()
			.stream()
			.flatMap(Optional::stream)
			.flatMap(ThrottledMethod::resources)
			.collect(Collectors.toSet());
	}

	private record Found(Method method, Class<?> targetClass, @Nullable ThrottledMethod throttled) {
	}

}
