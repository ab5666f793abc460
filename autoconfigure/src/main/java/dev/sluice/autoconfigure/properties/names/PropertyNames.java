package dev.sluice.autoconfigure.properties.names;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.annotation.SluiceAnnotationsProperties;
import dev.sluice.autoconfigure.batch.BatchProperties;
import dev.sluice.autoconfigure.batch.SluiceBatchProperties;
import dev.sluice.autoconfigure.cluster.SluiceClusterProperties;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.journal.SluiceJournalProperties;
import dev.sluice.autoconfigure.properties.NamedProperties;
import dev.sluice.autoconfigure.properties.NearestName;
import dev.sluice.autoconfigure.throttle.LimitProperties;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Names of all properties below {@code sluice} and of those of its endpoints and health,
 * and their types.
 */
final class PropertyNames {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("sluice");

	/** Groups of Sluice that are not below the root. */
	private static final List<ConfigurationPropertyName> MANAGEMENT = Stream
		.of("management.endpoint.sluice", "management.endpoint.throttling", "management.health.sluice")
		.map(ConfigurationPropertyName::of)
		.toList();

	/**
	 * Types of the properties that are not below the root; {@code Object} for the
	 * properties that Boot adds to each endpoint.
	 */
	private static final Map<String, Class<?>> MANAGED = Map.of("management.endpoint.sluice.access", Object.class,
			"management.endpoint.sluice.cache.time-to-live", Object.class, "management.endpoint.throttling.access",
			Object.class, "management.endpoint.throttling.cache.time-to-live", Object.class,
			"management.endpoint.throttling.roles", Set.class, "management.endpoint.throttling.show-keys", String.class,
			"management.endpoint.throttling.top", Integer.class, "management.health.sluice.enabled", Boolean.class,
			"management.health.sluice.max-wait", Duration.class);

	/** A class of the module without which the properties of sessions cannot be read. */
	static final String SESSIONS = "dev.sluice.websocket.ManagedSession";

	private static final ConfigurationPropertyName WEB_SOCKET = ConfigurationPropertyName.of("sluice.websocket");

	private static final List<Class<?>> GROUPS = List.of(SluiceExecutionProperties.class, SluiceJournalProperties.class,
			SluiceStoreProperties.class, SluiceAnnotationsProperties.class, SluiceClusterProperties.class);

	/** What only conditions read. */
	private static final List<String> SWITCHES = List.of("sluice.enabled", "sluice.web.enabled",
			"sluice.websocket.enabled", "sluice.websocket.handlers.enabled", "sluice.websocket.stomp.enabled");

	private final Map<String, Class<?>> types = new TreeMap<>();

	private final NamedProperties limits = NamedProperties.of("limit", SluiceThrottleProperties.PREFIX,
			LimitProperties.class);

	private final NamedProperties batches = NamedProperties.of("batch", SluiceBatchProperties.PREFIX,
			BatchProperties.class);

	private final NamedProperties topics = NamedProperties.of("topic", "sluice.cluster.topics",
			SluiceClusterProperties.TopicOptions.class);

	private final boolean sessions = ClassUtils.isPresent(SESSIONS, PropertyNames.class.getClassLoader());

	PropertyNames() {
		SWITCHES.forEach((name) -> this.types.put(name, Boolean.class));
		GROUPS.forEach(this::collect);
		if (this.sessions) {
			collect(SluiceWebSocketProperties.class);
		}
		this.types.putAll(MANAGED);
	}

	private void collect(Class<?> group) {
		ConfigurationProperties properties = AnnotatedElementUtils.getMergedAnnotation(group,
				ConfigurationProperties.class);
		if (properties != null) {
			NamedProperties.collect(properties.prefix() + '.', group, this.types);
		}
	}

	/** Returns the properties that are not below the root. */
	static Stream<ConfigurationPropertyName> management() {
		return MANAGED.keySet().stream().sorted().map(ConfigurationPropertyName::of);
	}

	/** Returns whether a property belongs to Sluice. */
	static boolean own(ConfigurationPropertyName name) {
		return ROOT.isAncestorOf(name) || MANAGEMENT.stream().anyMatch((group) -> group.isAncestorOf(name));
	}

	/** Returns an example of a value with a unit, if values need one. */
	@Nullable String units(ConfigurationPropertyName name, Object value) {
		Class<?> type = type(name);
		if (type == Duration.class) {
			return value + "s or " + value + "ms";
		}
		return (type == DataSize.class) ? value + "KB or " + value + "B" : null;
	}

	/**
	 * Returns the type of a property, or {@code null} if its name is unknown; any name is
	 * known below the properties of a missing module.
	 */
	@Nullable Class<?> type(ConfigurationPropertyName name) {
		NamedProperties named = named(name);
		Class<?> type = (named != null) ? find(named.options(), named.option(name))
				: find(this.types, withoutIndex(name).toString());
		return (type == null && !this.sessions && WEB_SOCKET.isAncestorOf(name)) ? Object.class : type;
	}

	private @Nullable NamedProperties named(ConfigurationPropertyName name) {
		return groups().filter((one) -> one.isOption(name)).findFirst().orElse(null);
	}

	private static @Nullable Class<?> find(Map<String, Class<?>> types, String name) {
		return types.entrySet()
			.stream()
			.filter((entry) -> letters(entry.getKey()).equals(letters(name)))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	/** Names with and without hyphens are equal. */
	private static String letters(String name) {
		return name.toLowerCase(Locale.ROOT).replace("-", "");
	}

	/** Returns the text to suggest in place of an unknown name. */
	String remedy(ConfigurationPropertyName name) {
		NamedProperties named = named(name);
		return (named != null) ? named.remedy(name) : remedyOutside(name);
	}

	/** Returns the group of a property that is written as a list, or {@code null}. */
	@Nullable NamedProperties listed(ConfigurationPropertyName name) {
		return groups().filter((one) -> one.isListed(name)).findFirst().orElse(null);
	}

	private Stream<NamedProperties> groups() {
		return Stream.of(this.limits, this.batches, this.topics);
	}

	private String remedyOutside(ConfigurationPropertyName name) {
		String form = groups().filter((one) -> one.lacksOption(name)).map(NamedProperties::form).findFirst().orElse("");
		if (!form.isEmpty()) {
			return form;
		}
		Set<String> candidates = new TreeSet<>(this.types.keySet());
		this.limits.alike(name).ifPresent(candidates::add);
		this.batches.alike(name).ifPresent(candidates::add);
		return NearestName.question(name.toString(), candidates, "");
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

}
