package dev.sluice.aop.internal.method;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.annotation.Mode;
import dev.sluice.throttle.InvalidLimitOptionException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Reads the limits that annotations name, and defines the limits that annotations
 * specify. A definition of the same name in properties or code takes precedence.
 */
final class LimitReader {

	/*
	 * A limit is defined while its name is locked in "defined". It is therefore defined
	 * once, and each later annotation is compared with the first. Attacked by
	 * ThrottledMethodVerifierTests.
	 */

	private static final Log logger = LogFactory.getLog(LimitReader.class);

	private static final String STUBBED = "In a test, replace @MockitoBean by @MockitoSpyBean, have the mock find the "
			+ "limits, or set 'sluice.annotations.enabled' to false.";

	private final ThrottlingManager manager;

	private final Consumer<Throttle> onDefined;

	private final Map<String, Limit> defined = new ConcurrentHashMap<>();

	LimitReader(ThrottlingManager manager, Consumer<Throttle> onDefined) {
		this.manager = manager;
		this.onDefined = onDefined;
	}

	List<MethodLimit> read(List<AnnotatedLimit> annotated, MethodAttributes attributes) {
		checkModes(annotated, attributes);
		List<MethodLimit> limits = annotated.stream().map((limit) -> read(limit, attributes)).toList();
		checkSum(annotated, limits, attributes);
		return limits;
	}

	private MethodLimit read(AnnotatedLimit annotated, MethodAttributes attributes) {
		AnnotationAttribute value = attributes.attribute(annotated, "value");
		String resource = define(annotated, attributes);
		Optional<Throttle> throttle = this.manager.find(resource);
		if (throttle.isEmpty()) {
			throw undefined(annotated.kind(), resource, value);
		}
		checkKind(annotated.kind(), throttle.get().limit(), value);
		MethodExpression key = attributes.expression(attributes.attribute(annotated, "key"), "");
		checkKey(key, attributes.attribute(annotated, "key"), attributes.parameters());
		return new MethodLimit(throttle.get(), key, permits(annotated, throttle.get().limit(), attributes),
				attributes.expression(attributes.attribute(annotated, "owner"), ""), annotated.mode(),
				annotated.requireHeld());
	}

	/** A text in quotes is the same key for each call. */
	private static void checkKey(@Nullable MethodExpression key, AnnotationAttribute attribute,
			MethodParameters parameters) {
		String text = (key != null) ? key.literal() : null;
		List<String> names = parameters.names();
		if (text != null && names != null
				&& names.stream().anyMatch((name) -> text.equals('#' + name) || text.equals('{' + name + '}'))) {
			logger.warn(
					attribute + " is the same key for each call, as it is a text in quotes. Write a parameter without "
							+ "quotes, as in \"#name\"");
		}
	}

	private static @Nullable MethodExpression permits(AnnotatedLimit annotated, Limit limit,
			MethodAttributes attributes) {
		AnnotationAttribute attribute = attributes.attribute(annotated, "permits");
		MethodExpression permits = attributes.expression(attribute, "1");
		Integer number = (permits != null) ? permits.number() : null;
		if (number != null && number < 0) {
			throw attribute.invalid("is negative", "Write a number of 0 or more.");
		}
		if (attribute.text().equals("0")) {
			logger.warn(attribute + " requires no permit, so that the limit has no effect on the method");
		}
		Class<?> type = (permits != null) ? permits.declaredType(attributes.parameters()) : null;
		if (type != null && !isNumber(type)) {
			throw attribute.invalid("is a " + type.getSimpleName() + ", and no number",
					"Name a parameter that is or contains a number, as in \"#a0.length()\".");
		}
		if (number != null && number > limit.maxPermits()) {
			throw attribute.invalid("is more than the limit grants a call: " + limit,
					"Request at most " + limit.maxPermits() + ", or " + forMorePermits(limit) + '.');
		}
		return permits;
	}

	private static String forMorePermits(Limit limit) {
		return (limit.maxPermits() < limit.maxUsed())
				? "define a limit that does not record each permit, such as a " + "token bucket" : "raise the limit";
	}

	private static boolean isNumber(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		return Number.class.isAssignableFrom(boxed) || boxed.isAssignableFrom(Integer.class);
	}

	/** A call acquires the permits of all annotations that name a limit and a key. */
	private static void checkSum(List<AnnotatedLimit> annotated, List<MethodLimit> limits,
			MethodAttributes attributes) {
		Map<List<String>, Long> sums = new HashMap<>();
		for (int i = 0; i < limits.size(); i++) {
			MethodLimit limit = limits.get(i);
			Integer number = (limit.permits() != null) ? limit.permits().number() : Integer.valueOf(1);
			if (limit.throttle().limit().isHeld() || number == null) {
				continue;
			}
			long sum = sums.merge(List.of(limit.resource(), String.valueOf(annotated.get(i).get("key"))), (long) number,
					Long::sum);
			if (sum > limit.throttle().limit().maxPermits()) {
				throw attributes.attribute(annotated.get(i), "value")
					.invalid("requires, with the method's other annotations for it, " + sum
							+ " permits, which is more than the limit grants a call: " + limit.throttle().limit(),
							"Remove one of the annotations, or " + forMorePermits(limit.throttle().limit()) + '.');
			}
		}
	}

	/**
	 * Defines the limit that an annotation names, if the annotation specifies it and no
	 * other definition exists.
	 * @return the name
	 */
	String define(AnnotatedLimit annotated, MethodAttributes attributes) {
		AnnotationAttribute value = attributes.attribute(annotated, "value");
		String resource = attributes.text(value);
		if (!StringUtils.hasText(resource)) {
			throw value.invalid("is no name",
					"Name the limit, as in " + annotated.kind().annotation() + "(\"commands\").");
		}
		if (annotated.definesLimit()) {
			Limit limit = limit(annotated, attributes);
			checkKind(annotated.kind(), limit, attributes.attribute(annotated, "type", annotated.type()));
			Limit first = this.defined.computeIfAbsent(resource, (name) -> {
				if (!name.equals(name.strip())) {
					logger.warn(value + " is for a limit whose name begins or ends with a blank. Remove the blank");
				}
				if (this.manager.find(name).isEmpty()) {
					this.onDefined.accept(define(name, limit, value));
				}
				return limit;
			});
			if (!first.equals(limit)) {
				throw value.invalid("is defined here as " + limit + ", and by another annotation as " + first,
						"Define it once, best in " + property(resource) + ".*, and only name it elsewhere.");
			}
		}
		return resource;
	}

	/** A store may not support the limit, and a mock answers with {@code null}. */
	private Throttle define(String name, Limit limit, AnnotationAttribute attribute) {
		Throttle throttle;
		try {
			throttle = this.manager.addOrUpdate(name, limit);
		}
		catch (IllegalArgumentException ex) {
			throw attribute.invalid("cannot be defined: " + ex.getMessage(), "Correct the limit in the annotation.",
					ex);
		}
		if (throttle == null) {
			throw attribute.invalid("cannot be defined, as " + this.manager.getClass().getName() + " defines no limits",
					STUBBED);
		}
		return throttle;
	}

	/** Returns whether no limit can be found whatever the application defines. */
	private boolean isMock() {
		return this.manager.getClass().getName().contains("$MockitoMock$");
	}

	private static Limit limit(AnnotatedLimit annotated, MethodAttributes attributes) {
		LimitDefinition definition = LimitDefinition.of(annotated.type());
		for (String option : AnnotatedLimit.OPTIONS) {
			AnnotationAttribute attribute = attributes.attribute(annotated, option);
			Object value = option.equals("period") ? attributes.duration(attribute) : attribute.value();
			if (value != null && annotated.isSet(option)) {
				definition = definition.option(option, value);
			}
		}
		try {
			return definition.toLimit();
		}
		catch (InvalidLimitOptionException ex) {
			throw attributes.attribute(annotated, ex.option())
				.invalid(ex.problem(), "Correct it, or only name the limit and define it by "
						+ property((String) annotated.get("value")) + ".*.", ex);
		}
	}

	private static void checkKind(LimitKind kind, Limit limit, AnnotationAttribute attribute) {
		LimitKind actual = LimitKind.of(limit);
		if (actual != kind) {
			throw attribute.invalid("requires " + kind + ", but is " + actual,
					"Use " + actual.annotation() + ", or give one of the two another name.");
		}
	}

	private static void checkModes(List<AnnotatedLimit> annotated, MethodAttributes attributes) {
		for (AnnotatedLimit limit : annotated) {
			AnnotationAttribute mode = attributes.attribute(limit, "mode");
			if (limit.mode() != Mode.ACQUIRE_AND_RELEASE && limit.get("owner").equals("")) {
				throw mode.invalid("needs an owner", "Specify the owner of the permits, as in owner = \"#batchId\".");
			}
			if (limit.requireHeld() && limit.mode() != Mode.RELEASE) {
				throw attributes.attribute(limit, "requireHeld")
					.invalid("has no effect with mode " + limit.mode(),
							"Set mode = Mode.RELEASE, or remove 'requireHeld'.");
			}
			if (limit.mode() == Mode.RELEASE && !limit.get("permits").equals("1")) {
				throw attributes.attribute(limit, "permits")
					.invalid("has no effect with mode RELEASE, which releases all permits of the owner",
							"Remove 'permits'.");
			}
			if (limit.mode() == Mode.ACQUIRE && annotated.stream()
				.anyMatch((other) -> other.kind() != LimitKind.RATE && other.mode() == Mode.ACQUIRE_AND_RELEASE)) {
				throw mode.invalid("cannot be combined with a permit that the same call releases",
						"Use mode ACQUIRE for all semaphores and mutexes of the method, or call two methods.");
			}
		}
	}

	private InvalidThrottledMethodException undefined(LimitKind kind, String resource, AnnotationAttribute attribute) {
		if (isMock()) {
			return attribute.invalid("names a limit that is not defined, as the ThrottlingManager is a mock", STUBBED);
		}
		String property = property(resource);
		String properties = (kind == LimitKind.SEMAPHORE)
				? "'" + property + ".type=semaphore' and '" + property + ".limit'"
				: "'" + property + ".limit' and '" + property + ".period'";
		String names = this.manager.throttles()
			.stream()
			.map(Throttle::resource)
			.sorted()
			.collect(Collectors.joining(", "));
		return attribute.invalid("names a limit that is not defined",
				"Set " + properties + ". Limits so far: " + (names.isEmpty() ? "none" : names) + '.');
	}

	private static String property(String resource) {
		return "sluice.throttles." + (resource.matches("[a-z0-9-]+") ? resource : '[' + resource + ']');
	}

}
