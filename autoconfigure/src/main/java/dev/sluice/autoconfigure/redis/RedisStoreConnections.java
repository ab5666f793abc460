package dev.sluice.autoconfigure.redis;

import java.time.Duration;
import java.util.Optional;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.bus.RedisClusterBus;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * The connections of the store and the bus: to where the application's go, but by other
 * rules.
 */
class RedisStoreConnections implements DisposableBean {

	private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(5);

	private final LettuceConnectionFactory factory;

	RedisStoreConnections(LettuceConnectionFactory application) {
		this.factory = copy(application,
				new Settings(application.getClientConfiguration(), application.isClusterAware()));
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

	RedisThrottleStore.Builder storeBuilder() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? RedisThrottleStore.builder(cluster)
				: RedisThrottleStore.builder((RedisClient) client);
	}

	RedisClusterBus.Builder busBuilder() {
		if (this.factory.getRequiredNativeClient() instanceof RedisClient client) {
			return RedisClusterBus.builder(client);
		}
		throw new InvalidConfigurationException(
				"Nodes are to be connected over Redis by 'sluice.cluster.type', and 'spring.data.redis.cluster.nodes' "
						+ "names a Redis Cluster, which the bus does not support.",
				"Name one server by 'spring.data.redis.url' or sentinels by 'spring.data.redis.sentinel.nodes', or define "
						+ "a ClusterBus bean, or remove the property 'sluice.cluster.type'.");
	}

	@Override
	public void destroy() {
		this.factory.destroy();
	}

	/**
	 * The settings of the application, but for this: what cannot be sent now is not sent
	 * later, as the store connects again by itself. Within a cluster the client must. And
	 * a server that takes a connection, but says nothing on it, is given up soon, as one
	 * attempt to connect is made at a time.
	 */
	private record Settings(LettuceClientConfiguration of, boolean cluster) implements LettuceClientConfiguration {

		@Override
		public Optional<ClientOptions> getClientOptions() {
			if (this.cluster) {
				return this.of.getClientOptions();
			}
			ClientOptions options = this.of.getClientOptions().orElseGet(ClientOptions::create);
			return Optional.of(options.mutate()
				.autoReconnect(false)
				.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
				.build());
		}

		@Override
		public boolean isUseSsl() {
			return this.of.isUseSsl();
		}

		@Override
		@SuppressWarnings("deprecation")
		public boolean isVerifyPeer() {
			return this.of.isVerifyPeer();
		}

		@Override
		public SslVerifyMode getVerifyMode() {
			return this.of.getVerifyMode();
		}

		@Override
		public boolean isStartTls() {
			return this.of.isStartTls();
		}

		@Override
		public Optional<ClientResources> getClientResources() {
			return this.of.getClientResources();
		}

		@Override
		public Optional<String> getClientName() {
			return this.of.getClientName();
		}

		@Override
		public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
			return this.of.getRedisCredentialsProviderFactory();
		}

		@Override
		public Optional<ReadFrom> getReadFrom() {
			return Optional.empty();
		}

		@Override
		public Duration getCommandTimeout() {
			Duration timeout = this.of.getCommandTimeout();
			return (timeout.compareTo(LONGEST_HANDSHAKE) < 0) ? timeout : LONGEST_HANDSHAKE;
		}

		@Override
		public Duration getShutdownTimeout() {
			return this.of.getShutdownTimeout();
		}

		@Override
		public Duration getShutdownQuietPeriod() {
			return this.of.getShutdownQuietPeriod();
		}

	}

}
