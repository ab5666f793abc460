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

/** Connection for messages, and the channels that it is subscribed to. */
final class Subscription {

	/*
	 * A channel is confirmed from when the server says so until it says the contrary, as
	 * it does when the slot of a sharded one goes to another server. The channels of a
	 * slot are subscribed to by themselves, as one that has moved takes no others with
	 * it. The client is never asked which channels there are, nor to subscribe again.
	 *
	 * Attacked by RedisConnectionsTests and RedisClusterSlotsTests.
	 */

	private final StatefulRedisPubSubConnection<String, String> connection;

	private final BiConsumer<String, String> messages;

	private final Consumer<Set<String>> subscribed;

	private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

	private volatile Channels wanted = Channels.NONE;

	/**
	 * Begins to listen, to no channel yet.
	 * @param connection carries the messages
	 * @param messages takes channel and message, on an event loop
	 * @param subscribed called with channels whose messages can be had anew
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

	boolean hears(Channels channels) {
		return isOpen() && this.confirmed.containsAll(channels.all());
	}

	/**
	 * Subscribes to the channels that are not subscribed to, but for those that have
	 * moved to another server; blocks. A connection on which that has no answer is
	 * closed.
	 * @throws RedisException if any of them cannot be had
	 */
	void listenTo(Channels channels) {
		this.wanted = channels;
		this.confirmed.retainAll(channels.all());
		for (List<String> group : channels.groups()) {
			if (!this.confirmed.containsAll(group)) {
				try {
					subscribe(group.toArray(new String[0]), channels.isSharded());
				}
				catch (RedisCommandExecutionException ex) {
					if (!RedisErrors.isMoved(ex)) {
						throw ex;
					}
				}
				catch (RedisException ex) {
					close();
					throw ex;
				}
			}
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

	/** Whatever the server sends. */
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
