package dev.sluice.redis.connection;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

/** Connection for messages, with the channels that it is subscribed to. */
final class Subscription {

	/*
	 * A channel counts as subscribed from the confirmation of the server until the server
	 * ends the subscription, as it does when the slot of a sharded channel moves. Each
	 * slot has a subscribe command of its own, so that a moved slot does not affect the
	 * others, and neither does one that the server rejects. The client's own list of
	 * channels and its automatic resubscription are not used.
	 *
	 * Attacked by RedisConnectionsTests and RedisClusterSlotsTests.
	 */

	private final StatefulRedisPubSubConnection<String, String> connection;

	private final BiConsumer<String, String> messages;

	private final Consumer<Set<String>> subscribed;

	private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

	private volatile Channels wanted = Channels.NONE;

	/**
	 * Creates a subscription without channels.
	 * @param connection the connection for messages
	 * @param messages the consumer of channel and message, called on an event loop
	 * @param subscribed the callback for channels that have been subscribed to
	 */
	Subscription(StatefulRedisPubSubConnection<String, String> connection, BiConsumer<String, String> messages,
			Consumer<Set<String>> subscribed) {
		this.connection = connection;
		this.messages = messages;
		this.subscribed = subscribed;
		connection.addListener(new Listener());
	}

	boolean isOpen() {
		return this.connection.isOpen();
	}

	boolean isSubscribedTo(Channels channels) {
		return isOpen() && this.confirmed.containsAll(channels.all());
	}

	/**
	 * Subscribes to missing channels, except channels that have moved to another server;
	 * blocks. If there is no reply, the connection is closed.
	 * @throws RedisException if a channel cannot be subscribed to; the others are unless
	 * the connection is closed
	 */
	void listenTo(Channels channels) {
		this.wanted = channels;
		this.confirmed.retainAll(channels.all());
		RedisCommandExecutionException failure = null;
		for (List<String> group : channels.groups()) {
			if (!this.confirmed.containsAll(group)) {
				try {
					subscribe(group.toArray(new String[0]), channels.isSharded());
				}
				catch (RedisCommandExecutionException ex) {
					if (!RedisErrors.isMoved(ex) && failure == null) {
						failure = ex;
					}
				}
				catch (RedisException ex) {
					close();
					throw ex;
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void subscribe(String[] channels, boolean sharded) {
		if (sharded) {
			this.connection.sync().ssubscribe(channels);
		}
		else {
			this.connection.sync().subscribe(channels);
		}
	}

	private void confirmed(String channel, boolean last) {
		this.confirmed.add(channel);
		List<String> group = this.wanted.groupOf(channel);
		if (last && this.confirmed.containsAll(group)) {
			this.subscribed.accept(Set.copyOf(group));
		}
	}

	CompletableFuture<Void> close() {
		return Connector.close(this.connection);
	}

	/** Listener for messages and confirmations of the server. */
	private final class Listener extends RedisPubSubAdapter<String, String> {

		@Override
		public void message(String channel, String message) {
			Subscription.this.messages.accept(channel, message);
		}

		@Override
		public void smessage(String channel, String message) {
			Subscription.this.messages.accept(channel, message);
		}

		@Override
		public void subscribed(String channel, long count) {
			confirmed(channel, count == Subscription.this.wanted.all().size());
		}

		@Override
		public void ssubscribed(String channel, long count) {
			confirmed(channel, true);
		}

		@Override
		public void sunsubscribed(@Nullable String channel, long count) {
			if (channel != null) {
				Subscription.this.confirmed.remove(channel);
			}
		}

	}

}
