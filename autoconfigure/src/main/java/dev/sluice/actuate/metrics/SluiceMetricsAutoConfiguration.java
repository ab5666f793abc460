package dev.sluice.actuate.metrics;

import dev.sluice.actuate.NamedExecutors;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.jdbc.SluiceJdbcAutoConfiguration;
import dev.sluice.autoconfigure.redis.SluiceRedisAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.WebSocketSessionManager;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the metrics of limits, their store, queues, sessions and the
 * cluster of sessions. Executors and limits that the application builds itself have only
 * the meters that need no listener.
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

	@Bean
	@ConditionalOnMissingBean
	ThrottleMetrics sluiceThrottleMetrics(MeterRegistry registry) {
		return new ThrottleMetrics(registry);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceThrottleMeters")
	MeterBinder sluiceThrottleMeters(ThrottleMetrics metrics, ObjectProvider<ThrottlingManager> manager) {
		return (registry) -> manager.ifAvailable(metrics::monitor);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceBlockingWaitMeters")
	MeterBinder sluiceBlockingWaitMeters(ObjectProvider<BlockingWaits> waits) {
		return (registry) -> waits.ifAvailable((bound) -> FunctionCounter
			.builder("sluice.throttle.workers.exhausted", bound, BlockingWaits::workersExhausted)
			.description("Calls that were rejected because too many workers were blocked in line")
			.baseUnit("calls")
			.register(registry));
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceExecutionMetricsCustomizer")
	ExecutorCustomizer sluiceExecutionMetricsCustomizer(MeterRegistry registry) {
		return (name, builder) -> builder.listener(new ExecutionMetrics(registry, name));
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceExecutionMeters")
	MeterBinder sluiceExecutionMeters(ListableBeanFactory beans) {
		return (registry) -> NamedExecutors.of(beans)
			.forEach((name, executor) -> ExecutionMetrics.monitor(registry, name, () -> executor.snapshot(0)));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, WebSocketSessionManager.class })
	@ConditionalOnBean(WebSocketSessionManager.class)
	static class SessionsConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "sluiceWebSocketMeters")
		MeterBinder sluiceWebSocketMeters(WebSocketSessionManager sessions) {
			return (registry) -> Gauge.builder("sluice.websocket.sessions", sessions, WebSocketSessionManager::count)
				.description("Open sessions")
				.baseUnit("sessions")
				.register(registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, SessionCluster.class })
	@ConditionalOnBean(SessionCluster.class)
	static class ClusterConfiguration {

		@Bean(defaultCandidate = false)
		@ConditionalOnMissingBean(name = "sluiceClusterMeters")
		static ClusterMeters sluiceClusterMeters(ObjectProvider<MeterRegistry> registry) {
			return new ClusterMeters(registry);
		}

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
