package dev.sluice.autoconfigure.redis;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The client that limits in Redis and the bus over Redis share. */
@Configuration(proxyBeanMethods = false)
class RedisConnectionsConfiguration {

	private static final String REPLICAS = "spring.data.redis.masterreplica.nodes";

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
	RedisStoreConnections sluiceRedisStoreConnections(LettuceConnectionFactory factory, Environment environment) {
		Binder.get(environment).bind(REPLICAS, Bindable.listOf(String.class)).ifBound((replicas) -> {
			throw new InvalidConfigurationException(
					"Property '" + REPLICAS + "' names replicas, and only a master can be used: " + replicas,
					"Remove '" + REPLICAS + "', and name the master by 'spring.data.redis.url' or sentinels by "
							+ "'spring.data.redis.sentinel.nodes'.");
		});
		return new RedisStoreConnections(factory);
	}

}
