package dev.sluice.actuate.health;

import java.util.stream.Stream;

import dev.sluice.actuate.NamedExecutors;
import dev.sluice.actuate.UsedCluster;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.jdbc.SluiceJdbcAutoConfiguration;
import dev.sluice.autoconfigure.journal.SluiceJournalAutoConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.redis.SluiceRedisAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.websocket.journal.SentMessageRecorder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the health indicator {@code sluice}, if the application has
 * queues, or limits in Redis or PostgreSQL.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SluiceClusterAutoConfiguration.class, SluiceJdbcAutoConfiguration.class,
		SluiceJournalAutoConfiguration.class, SluiceRedisAutoConfiguration.class,
		SluiceWebSocketAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnSwitch("sluice.enabled")
@ConditionalOnEnabledHealthIndicator("sluice")
@Conditional(SluiceHealthAutoConfiguration.SomethingToLookAt.class)
@EnableConfigurationProperties(SluiceHealthProperties.class)
public final class SluiceHealthAutoConfiguration {

	private static final String CLUSTER = "dev.sluice.cluster.SessionCluster";

	@Bean
	@ConditionalOnMissingBean(name = "sluiceHealthIndicator")
	SluiceHealthIndicator sluiceHealthIndicator(ConfigurableListableBeanFactory beans,
			SluiceHealthProperties properties, ObjectProvider<HealthDetails> others) {
		Stream<HealthDetails> cluster = ClassUtils.isPresent(CLUSTER, beans.getBeanClassLoader())
				? Stream.of(new ClusterHealth(new UsedCluster(beans)::find)) : Stream.empty();
		return new SluiceHealthIndicator(NamedExecutors.of(beans), properties.maxWait(),
				Stream.concat(others.orderedStream(), cluster).toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebSocketHandler.class, SentMessageRecorder.class })
	@ConditionalOnBean(SentMessageRecorder.class)
	static class JournalConfiguration {

		@Bean
		HealthDetails sluiceJournalHealth(SentMessageRecorder recorder) {
			return new JournalHealth(recorder);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisThrottleStore.class)
	@ConditionalOnBean(RedisThrottleStore.class)
	static class RedisConfiguration {

		@Bean
		HealthDetails sluiceRedisStoreHealth(RedisThrottleStore store) {
			return new StoreHealth(store::snapshot);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcThrottleStore.class)
	@ConditionalOnBean(JdbcThrottleStore.class)
	static class JdbcConfiguration {

		@Bean
		HealthDetails sluiceJdbcStoreHealth(JdbcThrottleStore store) {
			return new StoreHealth(store::snapshot);
		}

	}

	static class SomethingToLookAt extends AnyNestedCondition {

		SomethingToLookAt() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(SequentialLeveledTaskExecutor.class)
		static class Queues {

		}

		@ConditionalOnBean(type = "dev.sluice.redis.RedisThrottleStore")
		static class LimitsInRedis {

		}

		@ConditionalOnBean(type = "dev.sluice.jdbc.JdbcThrottleStore")
		static class LimitsInPostgreSql {

		}

	}

}
