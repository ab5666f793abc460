package dev.sluice.autoconfigure;

import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Names of all properties below {@code sluice}, and which of them are times. */
final class PropertyNames {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("sluice");

	/** A time of ours that is not below the root. */
	private static final ConfigurationPropertyName HEALTH_WAIT = ConfigurationPropertyName
		.of("management.health.sluice.max-wait");

	private static final List<Class<?>> GROUPS = List.of(SluiceExecutionProperties.class, SluiceJournalProperties.class,
			SluiceStoreProperties.class, SluiceWebSocketProperties.class, ThrottlingAnnotationsProperties.class);

	/** What only conditions read. */
	private static final List<String> SWITCHES = List.of("sluice.enabled", "sluice.web.enabled",
			"sluice.websocket.enabled", "sluice.websocket.handlers.enabled", "sluice.websocket.stomp.enabled");

	private final Map<String, Class<?>> types = new TreeMap<>();

	private final NamedProperties limits = NamedProperties.of("limit", ThrottlesProperties.PREFIX,
			options(ThrottleProperties.class));

	private final NamedProperties batches = NamedProperties.of("batch", BatchesProperties.PREFIX,
			options(BatchProperties.class));

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
	}

	private static Map<String, Class<?>> options(Class<?> type) {
		Map<String, Class<?>> options = new TreeMap<>();
		collect("", type, options);
		return options;
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
		return this.limits.options().keySet();
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
		NamedProperties named = named(name);
		return (named != null) ? find(named.options(), named.option(name))
				: find(this.types, withoutIndex(name).toString());
	}

	private @Nullable NamedProperties named(ConfigurationPropertyName name) {
		return Stream.of(this.limits, this.batches).filter((one) -> one.isOption(name)).findFirst().orElse(null);
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
		NamedProperties named = named(name);
		return (named != null) ? named.remedy(name) : remedyOutside(name);
	}

	private String remedyOutside(ConfigurationPropertyName name) {
		Set<String> candidates = new TreeSet<>(this.types.keySet());
		this.limits.alike(name).ifPresent(candidates::add);
		this.batches.alike(name).ifPresent(candidates::add);
		return NearestName.of(name.toString(), candidates, UnaryOperator.identity())
			.map("Did you mean '%s'? "::formatted)
			.orElse("");
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

}
