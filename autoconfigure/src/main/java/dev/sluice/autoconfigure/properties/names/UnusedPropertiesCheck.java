package dev.sluice.autoconfigure.properties.names;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.sluice.autoconfigure.properties.BooleanProperty;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties.Type;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SentMessageJournal;
import dev.sluice.websocket.WebSocketEndpoint;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Finds properties that are valid and have no effect: limits beside a manager of the
 * application, options of a module that is missing or of a store that is not used, or of
 * sessions that do not exist, and a connection to a store that keeps no limits. Runs
 * before any bean is created, because an undefined limit makes other beans fail.
 */
final class UnusedPropertiesCheck {

	private static final Log logger = LogFactory.getLog(UnusedPropertiesCheck.class);

	private static final String MANAGER = "sluiceThrottlingManager";

	private static final String TYPE = "sluice.store.type";

	private static final String BROKER = "org.springframework.web.socket.config.annotation."
			+ "DelegatingWebSocketMessageBrokerConfiguration";

	private static final ConfigurationPropertyName KEY_PREFIX = ConfigurationPropertyName
		.of("sluice.store.redis.key-prefix");

	private static final List<String> REDIS = List.of("spring.data.redis.url", "spring.data.redis.host",
			"spring.data.redis.cluster.nodes", "spring.data.redis.sentinel.nodes");

	private final ConfigurableEnvironment environment;

	UnusedPropertiesCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	void check(ConfigurableListableBeanFactory beanFactory) {
		checkManager(beanFactory);
		warnOf("sluice.websocket", PropertyNames.SESSIONS, "sluice-websocket", beanFactory.getBeanClassLoader());
		warnOf("sluice.cluster", "dev.sluice.cluster.SessionCluster", "sluice-cluster",
				beanFactory.getBeanClassLoader());
		checkSessions(beanFactory);
		new UnchosenParts(this.environment).check();
		checkPresence();
		Type type = Binder.get(this.environment).bind(TYPE, Type.class).orElse(null);
		warnOf("sluice.store.redis", Type.REDIS, type);
		warnOf("sluice.store.jdbc", Type.JDBC, type);
		if (type == null && beanFactory.getBeanNamesForType(ThrottleStore.class, true, false).length == 0) {
			reportStore(beanFactory.getBeanClassLoader());
		}
	}

	/** The status of responses is an option that has an effect with any manager. */
	private void checkManager(ConfigurableListableBeanFactory beanFactory) {
		String[] managers = beanFactory.getBeanNamesForType(ThrottlingManager.class, true, false);
		if (managers.length == 0 || beanFactory.containsBeanDefinition(MANAGER)) {
			return;
		}
		Collection<String> limits = below("sluice.throttles", (name) -> !isLast(name, "status"));
		if (!limits.isEmpty()) {
			throw new InvalidConfigurationException(
					"Properties " + limits + " have no effect, as the bean '" + managers[0]
							+ "' of type ThrottlingManager replaces the manager that reads them",
					"Define these limits in that bean and remove the properties, or replace the bean by a "
							+ "ThrottlingManagerCustomizer.");
		}
	}

	/** A switch may state that the module is not used. */
	private void warnOf(String prefix, String required, String module, @Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(required, classLoader)) {
			return;
		}
		Collection<String> unused = below(prefix, (name) -> !isLast(name, "enabled"));
		if (!unused.isEmpty()) {
			logger.warn("Properties " + unused + " have no effect, as '" + module
					+ "' is not on the class path; add the dependency 'dev.sluice:" + module + "', or remove them");
		}
	}

	/** All nodes of a cluster have the same window and outbox. */
	private void checkSessions(ConfigurableListableBeanFactory beanFactory) {
		if (!ClassUtils.isPresent(PropertyNames.SESSIONS, beanFactory.getBeanClassLoader())) {
			return;
		}
		Collection<String> stomp = below("sluice.websocket.stomp", (name) -> !isLast(name, "enabled"));
		stomp.addAll(below("sluice.cluster.stomp", (name) -> alone()));
		if (!stomp.isEmpty() && !hasBroker(beanFactory)) {
			logger.warn("Properties " + stomp + " have no effect, as the application has no STOMP broker; add "
					+ "@EnableWebSocketMessageBroker, or remove them");
		}
		Collection<String> resume = below("sluice.cluster.resume",
				(name) -> alone() || !isLast(name, "window") && !isLast(name, "outbox"));
		Collection<String> journal = below("sluice.journal", (name) -> !isLast(name, "enabled"));
		if (!journal.isEmpty() && !BooleanProperty.isOn(this.environment, "sluice.journal.enabled", false)
				&& !Endpoints.recorded(beanFactory)) {
			logger.warn("Properties " + journal + " have no effect, as no message is recorded; set "
					+ "'sluice.journal.enabled' to true, define a SentMessageJournal bean, or remove them");
		}
		if (!resume.isEmpty() && !Endpoints.resume(beanFactory)) {
			logger.warn("Properties " + resume + " have no effect, as no endpoint is resumable; set 'resumable = true' "
					+ "in its @WebSocketEndpoint, or remove them");
		}
	}

	private boolean alone() {
		return this.environment.getProperty("sluice.cluster.type") == null;
	}

	/** All nodes of a cluster have the same topics with presence. */
	private void checkPresence() {
		Collection<String> presence = below("sluice.cluster.presence", (name) -> !isLast(name, "topics"));
		boolean present = names().anyMatch(ConfigurationPropertyName.of("sluice.cluster.presence.topics")::equals)
				|| names().anyMatch(ConfigurationPropertyName.of("sluice.cluster.presence.topics")::isAncestorOf)
				|| !below("sluice.cluster.topics", (name) -> isLast(name, "presence")).isEmpty();
		if (!presence.isEmpty() && !present && alone()) {
			logger.warn("Properties " + presence + " have no effect, as no topic has presence; set "
					+ "'sluice.cluster.presence.topics', or remove them");
		}
	}

	private static boolean hasBroker(ConfigurableListableBeanFactory beanFactory) {
		return ClassUtils.isPresent(BROKER, beanFactory.getBeanClassLoader()) && beanFactory.getBeanNamesForType(
				ClassUtils.resolveClassName(BROKER, beanFactory.getBeanClassLoader()), true, false).length > 0;
	}

	private void warnOf(String prefix, Type required, @Nullable Type type) {
		Collection<String> unused = (type != required) ? below(prefix, (name) -> !isOfBus(name)) : Set.of();
		if (!unused.isEmpty()) {
			logger.warn("Properties " + unused + " have no effect, as '" + TYPE + "' is "
					+ ((type != null) ? type.name().toLowerCase(Locale.ROOT) : "not set") + "; set it to "
					+ required.name().toLowerCase(Locale.ROOT) + ", or remove them");
		}
	}

	/** The bus between nodes has the same prefix. */
	private boolean isOfBus(ConfigurationPropertyName name) {
		return name.equals(KEY_PREFIX)
				&& "redis".equalsIgnoreCase(this.environment.getProperty("sluice.cluster.type", ""));
	}

	private void reportStore(@Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent("dev.sluice.redis.RedisThrottleStore", classLoader)
				&& REDIS.stream().anyMatch(this.environment::containsProperty)) {
			report("Redis", "redis");
		}
		else if (ClassUtils.isPresent("dev.sluice.jdbc.JdbcThrottleStore", classLoader)
				&& this.environment.getProperty("spring.datasource.url", "").startsWith("jdbc:postgresql:")) {
			report("PostgreSQL", "jdbc");
		}
	}

	private static boolean isLast(ConfigurationPropertyName name, String element) {
		return name.getLastElement(Form.UNIFORM).equals(element);
	}

	private static void report(String store, String type) {
		logger.info("Limits are kept in the memory of each node, though a connection to " + store
				+ " is configured; set '" + TYPE + "' to " + type + " to share them between nodes, or to memory");
	}

	/** Returns the names of the properties below a prefix that are set. */
	private Collection<String> below(String prefix, Predicate<ConfigurationPropertyName> filter) {
		return names().filter(ConfigurationPropertyName.of(prefix)::isAncestorOf)
			.filter(filter)
			.map(ConfigurationPropertyName::toString)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private Stream<ConfigurationPropertyName> names() {
		return StreamSupport
			.stream(ConfigurationPropertySources.from(this.environment.getPropertySources()).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream());
	}

	/** The endpoints of the application, unless their module is missing. */
	private static final class Endpoints {

		private Endpoints() {
		}

		static boolean recorded(ConfigurableListableBeanFactory beanFactory) {
			return beanFactory.getBeanNamesForType(SentMessageJournal.class, true, false).length > 0;
		}

		static boolean resume(ConfigurableListableBeanFactory beanFactory) {
			return Stream.of(beanFactory.getBeanNamesForType(ManagedSession.class, true, false)).anyMatch((name) -> {
				WebSocketEndpoint endpoint = beanFactory.findAnnotationOnBean(name, WebSocketEndpoint.class, false);
				return endpoint != null && endpoint.resumable();
			});
		}

	}

}
