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

/** Names of all properties below {@code sluice}, and which of them are times. */
final class PropertyNames {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("sluice");

	/** A duration of Sluice that is not below the root. */
	private static final ConfigurationPropertyName HEALTH_WAIT = ConfigurationPropertyName
		.of("management.health.sluice.max-wait");

	private static final List<Class<?>> GROUPS = List.of(SluiceExecutionProperties.class, SluiceJournalProperties.class,
			SluiceStoreProperties.class, SluiceWebSocketProperties.class, SluiceAnnotationsProperties.class,
			SluiceClusterProperties.class);

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

	PropertyNames() {
		SWITCHES.forEach((name) -> this.types.put(name, Boolean.class));
		GROUPS.forEach((group) -> {
			ConfigurationProperties properties = AnnotatedElementUtils.getMergedAnnotation(group,
					ConfigurationProperties.class);
			if (properties != null) {
				NamedProperties.collect(properties.prefix() + '.', group, this.types);
			}
		});
		this.types.put(HEALTH_WAIT.toString(), Duration.class);
	}

	/** Returns whether a property belongs to Sluice. */
	static boolean own(ConfigurationPropertyName name) {
		return ROOT.isAncestorOf(name) || HEALTH_WAIT.equals(name);
	}

	boolean isTime(ConfigurationPropertyName name) {
		return type(name) == Duration.class;
	}

	/** Returns the type of a property, or {@code null} if its name is unknown. */
	@Nullable Class<?> type(ConfigurationPropertyName name) {
		NamedProperties named = named(name);
		return (named != null) ? find(named.options(), named.option(name))
				: find(this.types, withoutIndex(name).toString());
	}

	private @Nullable NamedProperties named(ConfigurationPropertyName name) {
		return Stream.of(this.limits, this.batches, this.topics)
			.filter((one) -> one.isOption(name))
			.findFirst()
			.orElse(null);
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

	private String remedyOutside(ConfigurationPropertyName name) {
		Set<String> candidates = new TreeSet<>(this.types.keySet());
		this.limits.alike(name).ifPresent(candidates::add);
		this.batches.alike(name).ifPresent(candidates::add);
		return NearestName.question(name.toString(), candidates, "");
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

}
