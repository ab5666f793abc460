package dev.sluice.actuate.metrics;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.jdbc.SluiceJdbcAutoConfiguration;
import dev.sluice.autoconfigure.redis.SluiceRedisAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.ThrottlingManager;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for the metrics of limits, their store, queues, batches, sessions
 * and the cluster of sessions. Executors, limits and consumers of batches that the
 * application builds itself have only the meters that need no listener.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		after = { SluiceClusterAutoConfiguration.class, SluiceJdbcAutoConfiguration.class,
				SluiceRedisAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, ThrottlingManager.class })
public final class SluiceMetricsAutoConfiguration {

	private static final String SESSIONS = "org.springframework.web.socket.WebSocketHandler";

	@Bean
	@ConditionalOnMissingBean
	ThrottleMetrics sluiceThrottleMetrics(MeterRegistry registry) {
		return new ThrottleMetrics(registry);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceThrottleMeters")
	MeterBinder sluiceThrottleMeters(ThrottleMetrics metrics, ObjectProvider<ThrottlingManager> manager,
			ObjectProvider<BlockingWaits> waits) {
		return (registry) -> {
			manager.ifAvailable(metrics::monitor);
			waits.ifAvailable((bound) -> FunctionCounter
				.builder("sluice.throttle.workers.exhausted", bound, BlockingWaits::workersExhausted)
				.description("Calls that were rejected because too many workers were blocked in line")
				.baseUnit("calls")
				.register(registry));
		};
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceExecutionMeters")
	ExecutionMeters sluiceExecutionMeters(ObjectProvider<MeterRegistry> registry, ListableBeanFactory beans) {
		return new ExecutionMeters(registry::getObject, beans);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceBatchMeters")
	BatchMeters sluiceBatchMeters(ObjectProvider<MeterRegistry> registry, ListableBeanFactory beans) {
		return new BatchMeters(registry, beans);
	}

	@Bean
	@ConditionalOnClass(name = SESSIONS)
	@ConditionalOnBean(type = "dev.sluice.websocket.WebSocketSessionManager")
	@ConditionalOnMissingBean(name = "sluiceWebSocketMeters")
	MeterBinder sluiceWebSocketMeters(ListableBeanFactory beans) {
		return new SessionMeters(beans);
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnClass(name = SESSIONS)
	@ConditionalOnBean(type = "dev.sluice.cluster.SessionCluster")
	@ConditionalOnMissingBean(name = "sluiceClusterMeters")
	static ClusterMeters sluiceClusterMeters(ObjectProvider<MeterRegistry> registry) {
		return new ClusterMeters(registry);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisThrottleStore.class)
	@ConditionalOnBean(RedisThrottleStore.class)
	static class RedisConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "sluiceRedisStoreMetrics")
		StoreMetrics sluiceRedisStoreMetrics(RedisThrottleStore store) {
			return new StoreMetrics("Redis", store::snapshot);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcThrottleStore.class)
	@ConditionalOnBean(JdbcThrottleStore.class)
	static class JdbcConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "sluiceJdbcStoreMetrics")
		StoreMetrics sluiceJdbcStoreMetrics(JdbcThrottleStore store) {
			return new StoreMetrics("PostgreSQL", store::snapshot);
		}

	}

}
