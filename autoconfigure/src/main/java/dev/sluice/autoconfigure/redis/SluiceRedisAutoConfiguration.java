package dev.sluice.autoconfigure.redis;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.store.ThrottleStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Auto-configuration for limits in Redis, at the server that {@code spring.data.redis.*}
 * names: with its URL, credentials, TLS, sentinels or cluster nodes. The store has its
 * own client, because it must never wait for a server to recover, while other users of
 * Redis may want to.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SluiceThrottlingAutoConfiguration.class,
		afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({ RedisThrottleStore.class, LettuceConnectionFactory.class })
@ConditionalOnSwitch("sluice.enabled")
@ConditionalOnProperty(name = "sluice.store.type", havingValue = "redis")
@EnableConfigurationProperties(SluiceStoreProperties.class)
@Import(RedisConnectionsConfiguration.class)
@ImportRuntimeHints(RedisScriptHints.class)
public final class SluiceRedisAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(ThrottleStore.class)
	@ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
	RedisThrottleStore sluiceRedisThrottleStore(RedisStoreConnections connections, SluiceStoreProperties properties) {
		SluiceStoreProperties.Redis redis = properties.redis();
		RedisThrottleStore.Builder store = connections.storeBuilder()
			.keyPrefix(redis.keyPrefix())
			.timeout(redis.timeout())
			.lease(redis.lease())
			.failurePolicy(redis.failurePolicy())
			.batch(redis.batch());
		String replicas = redis.waitReplicas();
		return (replicas.equals("quorum") ? store.waitReplicaQuorum() : store.waitReplicas(Integer.parseInt(replicas)))
			.build();
	}

}
