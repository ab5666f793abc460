package dev.sluice.autoconfigure.throttle;

import java.util.Optional;
import java.util.concurrent.Executor;

import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.observation.DefaultObservers;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for the limits, which {@code sluice.throttles.*} and
 * {@link ThrottlingManagerCustomizer} beans define. The manager uses the
 * {@link NanoClock} bean and the {@link ThrottleStore} bean, if present, and notifies
 * {@link ThrottleListener} beans of every decision. Calls that have waited continue on
 * Sluice's workers, if they exist. An application that has a {@link ThrottlingManager}
 * bean of its own defines its limits there. The {@link ThrottlingTemplate} is for calls
 * in plain code.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnSwitch("sluice.enabled")
@EnableConfigurationProperties({ SluiceStoreProperties.class, SluiceThrottleProperties.class })
public final class SluiceThrottlingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ThrottlingManager sluiceThrottlingManager(SluiceThrottleProperties properties,
			ObjectProvider<ThrottlingManagerCustomizer> customizers, ObjectProvider<NanoClock> clock,
			@Qualifier(ExecutorsConfiguration.WORKERS) ObjectProvider<Executor> workers,
			ObjectProvider<ThrottleListener> listeners, ObjectProvider<ThrottleStore> store,
			SluiceStoreProperties storeProperties, ThrottleSourceRegistry sources,
			ConfigurableEnvironment environment) {
		ThrottlingManager.Builder builder = ThrottlingManager.builder();
		listeners.orderedStream().forEach(builder::listener);
		clock.ifAvailable(builder::clock);
		workers.ifAvailable(builder::completionExecutor);
		store(store, storeProperties).ifPresent(builder::store);
		ThrottlingManager manager = builder.build();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(manager));
		manager.throttles().forEach((throttle) -> sources.remember(throttle, ThrottleSource.CUSTOMIZER));
		properties.applyTo(manager,
				new ThrottleVariables(environment, manager.throttles().stream().map(Throttle::resource).toList()));
		properties.keySet().forEach((name) -> sources.remember(manager.get(name), ThrottleSource.PROPERTY));
		return manager;
	}

	private static Optional<ThrottleStore> store(ObjectProvider<ThrottleStore> stores,
			SluiceStoreProperties properties) {
		ThrottleStore store = stores.getIfAvailable();
		if (store == null && properties.type() == SluiceStoreProperties.Type.REDIS) {
			throw new InvalidConfigurationException(
					"Limits are to be kept in Redis by 'sluice.store.type', and there is no "
							+ "store in Redis: a library is missing, or a connection to Redis by Lettuce.",
					"Add the dependencies 'dev.sluice:sluice-redis' and "
							+ "'org.springframework.boot:spring-boot-starter-data-redis' (with Lettuce, which it brings), or "
							+ "define a ThrottleStore bean, or remove the property 'sluice.store.type'.");
		}
		if (store == null && properties.type() == SluiceStoreProperties.Type.JDBC) {
			throw new InvalidConfigurationException(
					"Limits are to be kept in PostgreSQL by 'sluice.store.type', and there is no store in PostgreSQL: "
							+ "a library is missing.",
					"Add the dependencies 'dev.sluice:sluice-jdbc', 'org.springframework.boot:spring-boot-starter-jdbc' "
							+ "(with HikariCP, which it brings) and 'org.postgresql:postgresql', or define a "
							+ "ThrottleStore bean, or remove the property 'sluice.store.type'.");
		}
		return Optional.ofNullable(store);
	}

	/**
	 * Half of the platform workers, and of the container's threads that run workers'
	 * tasks; virtual threads are unlimited.
	 */
	@Bean
	@ConditionalOnMissingBean
	BlockingWaits sluiceBlockingWaits(
			@Qualifier(ExecutorsConfiguration.WORKERS) ObjectProvider<ThreadPoolTaskExecutor> workers,
			@Qualifier(ExecutorsConfiguration.INBOUND) ObjectProvider<SequentialLeveledTaskExecutor> inbound) {
		ThreadPoolTaskExecutor pool = workers.getIfAvailable();
		if (pool == null) {
			return BlockingWaits.unbounded();
		}
		SingletonSupplier<SequentialLeveledTaskExecutor> executor = SingletonSupplier.of(inbound::getObject);
		return BlockingWaits.atMost(pool.getMaxPoolSize() / 2,
				() -> Thread.currentThread().getName().startsWith(pool.getThreadNamePrefix())
						|| executor.obtain().isWorker());
	}

	@Bean
	@ConditionalOnMissingBean
	ThrottlingTemplate sluiceThrottlingTemplate(ThrottlingManager manager, BlockingWaits blockingWaits,
			ObjectProvider<LineObserver> observer, ObjectProvider<TaskDecorator> context, ListableBeanFactory beans) {
		return new ThrottlingTemplate(manager, blockingWaits,
				observer.getIfUnique(() -> DefaultObservers.ofLines(beans)),
				new ComposedDecorator(context.orderedStream().toList()));
	}

	@Bean
	ThrottleSourceRegistry sluiceThrottleSources() {
		return new ThrottleSourceRegistry();
	}

}
