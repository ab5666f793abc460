package dev.sluice.autoconfigure.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.bus.RedisClusterBus;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connections of the store and the bus: to the servers of the application, but with
 * other settings.
 */
class RedisStoreConnections implements DisposableBean {

	private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(5);

	private final LettuceConnectionFactory factory;

	RedisStoreConnections(LettuceConnectionFactory application) {
		this.factory = copy(application, settings(application.getClientConfiguration(), application.isClusterAware()));
		this.factory.setAutoStartup(false);
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	private static LettuceConnectionFactory copy(LettuceConnectionFactory of, LettuceClientConfiguration settings) {
		if (of.getClusterConfiguration() != null) {
			return new LettuceConnectionFactory(of.getClusterConfiguration(), settings);
		}
		if (of.getSentinelConfiguration() != null) {
			return new LettuceConnectionFactory(of.getSentinelConfiguration(), settings);
		}
		return new LettuceConnectionFactory(of.getStandaloneConfiguration(), settings);
	}

	/**
	 * Returns the settings of the application, but for this: what cannot be sent now is
	 * not sent later, as the store connects again by itself. Within a cluster the client
	 * must. A server that accepts a connection but does not answer is abandoned soon,
	 * because only one connection attempt runs at a time. All commands go to the master.
	 */
	private static LettuceClientConfiguration settings(LettuceClientConfiguration of, boolean cluster) {
		LettuceClientConfigurationBuilder settings = LettuceClientConfiguration.builder()
			.commandTimeout(Collections.min(List.of(of.getCommandTimeout(), LONGEST_HANDSHAKE)))
			.shutdownTimeout(of.getShutdownTimeout())
			.shutdownQuietPeriod(of.getShutdownQuietPeriod());
		ClientOptions options = of.getClientOptions().orElseGet(ClientOptions::create);
		settings.clientOptions(cluster ? options : withoutReconnecting(options));
		of.getClientResources().ifPresent(settings::clientResources);
		of.getClientName().ifPresent(settings::clientName);
		of.getRedisCredentialsProviderFactory().ifPresent(settings::redisCredentialsProviderFactory);
		if (of.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = settings.useSsl().verifyPeer(of.getVerifyMode());
			if (of.isStartTls()) {
				ssl.startTls();
			}
		}
		return settings.build();
	}

	private static ClientOptions withoutReconnecting(ClientOptions options) {
		return options.mutate()
			.autoReconnect(false)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.build();
	}

	RedisThrottleStore.Builder storeBuilder() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? RedisThrottleStore.builder(cluster)
				: RedisThrottleStore.builder((RedisClient) client);
	}

	RedisClusterBus.Builder busBuilder(boolean confirmed) {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (confirmed && client instanceof RedisClusterClient) {
			throw new InvalidConfigurationException(
					"Replicas are to confirm messages by 'wait-replicas' of 'sluice.cluster.topics', and Redis is a cluster.",
					"Remove 'wait-replicas', and set 'min-replicas-to-write' at the servers of the cluster.");
		}
		return (client instanceof RedisClusterClient cluster) ? RedisClusterBus.builder(cluster)
				: RedisClusterBus.builder((RedisClient) client).confirmed(confirmed);
	}

	@Override
	public void destroy() {
		this.factory.destroy();
	}

}
