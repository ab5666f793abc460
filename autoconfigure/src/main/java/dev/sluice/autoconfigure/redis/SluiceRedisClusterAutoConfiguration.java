package dev.sluice.autoconfigure.redis;

import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterProperties;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.bus.RedisClusterBus;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration of the bus between nodes over Redis, at the server that
 * {@code spring.data.redis.*} names. It shares the client of limits in Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SluiceClusterAutoConfiguration.class, after = SluiceRedisAutoConfiguration.class,
		afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({ RedisClusterBus.class, LettuceConnectionFactory.class })
@ConditionalOnSwitch("sluice.cluster.enabled")
@ConditionalOnProperty(name = "sluice.cluster.type", havingValue = "redis")
@EnableConfigurationProperties({ SluiceClusterProperties.class, SluiceStoreProperties.class })
@Import(RedisConnectionsConfiguration.class)
@ImportRuntimeHints(RedisScriptHints.class)
public final class SluiceRedisClusterAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean(ClusterBus.class)
	@ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
	RedisClusterBus sluiceRedisClusterBus(RedisStoreConnections connections, SluiceClusterProperties cluster,
			SluiceStoreProperties store) {
		return connections.busBuilder(cluster.waitsForReplicas())
			.keyPrefix(store.redis().keyPrefix())
			.timeout(cluster.timeout())
			.lease(cluster.lease())
			.beat(cluster.beat())
			.build();
	}

}
