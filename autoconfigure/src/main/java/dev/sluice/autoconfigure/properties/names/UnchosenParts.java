package dev.sluice.autoconfigure.properties.names;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.sluice.autoconfigure.properties.BooleanProperty;
import dev.sluice.autoconfigure.properties.NearestName;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Finds properties that are valid and have no effect, because another property has not
 * chosen, or has switched off, the part that reads them.
 */
final class UnchosenParts {

	private static final Log logger = LogFactory.getLog(UnchosenParts.class);

	private static final String INCLUDE = "management.endpoints.web.exposure.include";

	private final ConfigurableEnvironment environment;

	UnchosenParts(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	void check() {
		unless("sluice.execution.overflow", "block", set("sluice.execution.max-block"));
		unless("management.endpoint.throttling.show-keys", "when-authorized",
				set("management.endpoint.throttling.roles"));
		unless("sluice.cluster.type", "redis",
				Stream.of("sluice.cluster.lease", "sluice.cluster.beat", "sluice.cluster.failure-policy")
					.flatMap((name) -> set(name).stream())
					.collect(Collectors.toCollection(TreeSet::new)));
		if (!value("sluice.websocket.stomp.throttled").isEmpty()) {
			unless("sluice.websocket.stomp.throttled", "user-queue",
					set("sluice.websocket.stomp.throttled-destination"));
		}
		ifOff("sluice.websocket.stomp.enabled", below("sluice.websocket.stomp"));
		ifOff("sluice.websocket.handlers.enabled", below("sluice.websocket.handlers"));
		ifOff("management.health.sluice.enabled", below("management.health.sluice"));
		ifOff("sluice.web.enabled", names(ConfigurationPropertyName.of("sluice.throttles")::isAncestorOf, "status"));
		checkThreads();
		checkPings();
		checkCatchUp();
		checkExposure();
		checkExposed();
	}

	private void unless(String selector, String required, Collection<String> options) {
		String value = value(selector);
		if (!options.isEmpty() && !letters(required).equals(letters(value))) {
			warn(options, "'" + selector + "' is " + (value.isEmpty() ? "not set" : value), required);
		}
	}

	private void ifOff(String selector, Collection<String> options) {
		options.remove(selector);
		if (!options.isEmpty() && !BooleanProperty.isOn(this.environment, selector, true)) {
			warn(options, "'" + selector + "' is false", "true");
		}
	}

	private void checkThreads() {
		Collection<String> workers = set("sluice.execution.workers");
		if (!workers.isEmpty() && BooleanProperty.isOn(this.environment, "spring.threads.virtual.enabled", false)) {
			logger.info("Properties " + workers + " have no effect, as 'spring.threads.virtual.enabled' is true");
		}
	}

	private void checkPings() {
		String interval = "sluice.websocket.heartbeat.interval";
		Collection<String> timeout = set("sluice.websocket.heartbeat.timeout");
		if (!timeout.isEmpty() && isZero(interval)) {
			warn(timeout, "'" + interval + "' is zero", "a time");
		}
	}

	private boolean isZero(String name) {
		return Binder.get(this.environment).bind(name, Duration.class).map(Duration::isZero).orElse(false);
	}

	/** A topic may have a history of its own. */
	private void checkCatchUp() {
		String size = "sluice.cluster.history.size";
		if ("catchup".equals(letters(value("sluice.websocket.outbound.overflow"))) && "0".equals(value(size))
				&& names(ConfigurationPropertyName.of("sluice.cluster.topics")::isAncestorOf, "size").isEmpty()) {
			warn(set("sluice.websocket.outbound.overflow"), "'" + size + "' is 0", "the number of messages to keep");
		}
	}

	private void checkExposure() {
		Stream.of(Binder.get(this.environment).bind(INCLUDE, Bindable.of(String[].class)).orElse(new String[0]))
			.map(UnchosenParts::letters)
			.forEach((id) -> Stream.of("throttling", "sluice")
				.filter((known) -> NearestName.isMisspelt(id, known, known.length() / 3))
				.forEach((known) -> logger.warn("Property '" + INCLUDE + "' contains '" + id
						+ "', which is no endpoint of Sluice. Did you mean '" + known + "'?")));
	}

	/** It is named in a list, or by JMX. */
	private void checkExposed() {
		Collection<String> options = below("management.endpoint.throttling");
		if (!options.isEmpty() && Stream.of("web", "jmx").noneMatch(this::isExposed)) {
			logger.warn("Properties " + options + " have no effect, as '" + INCLUDE
					+ "' does not contain 'throttling'; add it, or remove them");
		}
	}

	private boolean isExposed(String technology) {
		return Stream
			.of(Binder.get(this.environment)
				.bind("management.endpoints." + technology + ".exposure.include", Bindable.of(String[].class))
				.orElse(new String[0]))
			.map(UnchosenParts::letters)
			.anyMatch((id) -> id.equals("*") || id.equals("throttling"));
	}

	private static void warn(Collection<String> options, String cause, String remedy) {
		logger.warn("Properties " + options + " have no effect, as " + cause + "; set it to " + remedy
				+ ", or remove them");
	}

	private String value(String name) {
		return Binder.get(this.environment).bind(name, String.class).orElse("");
	}

	private static String letters(@Nullable String value) {
		return (value != null) ? value.replaceAll("[-_]", "").toLowerCase(Locale.ROOT).strip() : "";
	}

	/** Returns the property, if it or an element of its list is set. */
	private Collection<String> set(String option) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(option);
		Collection<String> set = new TreeSet<>();
		if (names().anyMatch((other) -> name.equals(other) || name.isAncestorOf(other))) {
			set.add(option);
		}
		return set;
	}

	private Collection<String> below(String prefix) {
		return texts(names().filter(ConfigurationPropertyName.of(prefix)::isAncestorOf));
	}

	private Collection<String> names(Predicate<ConfigurationPropertyName> filter, String last) {
		return texts(names().filter(filter).filter((name) -> name.getLastElement(Form.UNIFORM).equals(last)));
	}

	private static Collection<String> texts(Stream<ConfigurationPropertyName> names) {
		return names.map(ConfigurationPropertyName::toString).collect(Collectors.toCollection(TreeSet::new));
	}

	private Stream<ConfigurationPropertyName> names() {
		return StreamSupport
			.stream(ConfigurationPropertySources.from(this.environment.getPropertySources()).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream());
	}

}
