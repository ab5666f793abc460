package dev.sluice.autoconfigure;

import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Names of all properties below {@code sluice}, and which of them are times. */
final class PropertyNames {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("sluice");

	private static final ConfigurationPropertyName THROTTLES = ConfigurationPropertyName.of(ThrottlesProperties.PREFIX);

	/** A time of ours that is not below the root. */
	private static final ConfigurationPropertyName HEALTH_WAIT = ConfigurationPropertyName
		.of("management.health.sluice.max-wait");

	private static final List<Class<?>> GROUPS = List.of(SluiceExecutionProperties.class, SluiceJournalProperties.class,
			SluiceStoreProperties.class, SluiceWebSocketProperties.class, ThrottlingAnnotationsProperties.class);

	/** What only conditions read. */
	private static final List<String> SWITCHES = List.of("sluice.enabled", "sluice.web.enabled",
			"sluice.websocket.enabled", "sluice.websocket.handlers.enabled", "sluice.websocket.stomp.enabled");

	private final Map<String, Class<?>> types = new TreeMap<>();

	private final Map<String, Class<?>> options = new TreeMap<>();

	PropertyNames() {
		SWITCHES.forEach((name) -> this.types.put(name, Boolean.class));
		GROUPS.forEach((group) -> {
			ConfigurationProperties properties = AnnotatedElementUtils.getMergedAnnotation(group,
					ConfigurationProperties.class);
			if (properties != null) {
				collect(properties.prefix() + '.', group, this.types);
			}
		});
		this.types.put(HEALTH_WAIT.toString(), Duration.class);
		collect("", ThrottleProperties.class, this.options);
	}

	private static void collect(String prefix, Class<?> type, Map<String, Class<?>> types) {
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			if (property.getWriteMethod() != null) {
				types.put(name, property.getPropertyType());
			}
			else if (property.getPropertyType().getEnclosingClass() == type) {
				collect(name + '.', property.getPropertyType(), types);
			}
		}
	}

	/** The options of a limit. */
	Set<String> options() {
		return this.options.keySet();
	}

	/** Tells whether a property is ours. */
	boolean own(ConfigurationPropertyName name) {
		return ROOT.isAncestorOf(name) || HEALTH_WAIT.equals(name);
	}

	boolean contains(ConfigurationPropertyName name) {
		return type(name) != null;
	}

	boolean isTime(ConfigurationPropertyName name) {
		return type(name) == Duration.class;
	}

	private @Nullable Class<?> type(ConfigurationPropertyName name) {
		return isOption(name) ? find(this.options, option(name)) : find(this.types, withoutIndex(name).toString());
	}

	private static @Nullable Class<?> find(Map<String, Class<?>> types, String name) {
		return types.entrySet()
			.stream()
			.filter((entry) -> letters(entry.getKey()).equals(letters(name)))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	/** Names are the same with and without hyphens. */
	private static String letters(String name) {
		return name.toLowerCase(Locale.ROOT).replace("-", "");
	}

	/** Returns what to write instead of a name that is none. */
	String remedy(ConfigurationPropertyName name) {
		if (!isOption(name)) {
			return remedyOutsideLimits(name);
		}
		String last = name.getLastElement(Form.DASHED);
		if (name.getNumberOfElements() > THROTTLES.getNumberOfElements() + 2 && this.options.containsKey(last)) {
			String throttle = name.chop(name.getNumberOfElements() - 1)
				.subName(THROTTLES.getNumberOfElements())
				.toString();
			return "If the limit is called '%s', write '%s.[%1$s].%s'. ".formatted(throttle, THROTTLES, last);
		}
		return nearest(option(name), this.options.keySet())
			.map((option) -> "Did you mean '%s.%s'? ".formatted(name.chop(THROTTLES.getNumberOfElements() + 1), option))
			.orElse("") + "A limit has the options " + String.join(", ", this.options.keySet()) + ". ";
	}

	private String remedyOutsideLimits(ConfigurationPropertyName name) {
		Set<String> candidates = new TreeSet<>(this.types.keySet());
		if (name.getNumberOfElements() > THROTTLES.getNumberOfElements() + 1) {
			candidates.add(THROTTLES.append(name.subName(THROTTLES.getNumberOfElements())).toString());
		}
		return nearest(name.toString(), candidates).map("Did you mean '%s'? "::formatted).orElse("");
	}

	private static Optional<String> nearest(String name, Set<String> candidates) {
		return NearestName.of(name, candidates, UnaryOperator.identity());
	}

	private static boolean isOption(ConfigurationPropertyName name) {
		return THROTTLES.isAncestorOf(name) && name.getNumberOfElements() > THROTTLES.getNumberOfElements() + 1;
	}

	private static String option(ConfigurationPropertyName name) {
		return name.subName(THROTTLES.getNumberOfElements() + 1).toString();
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

}
