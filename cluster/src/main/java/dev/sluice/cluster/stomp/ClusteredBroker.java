package dev.sluice.cluster.stomp;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.broadcast.OrderedBroadcast;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.stomp.LocalStompSessions;
import dev.sluice.websocket.stomp.SuspendedTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageDeliveryException;

/**
 * Spring's simple broker of this node as one of many. A message from clients or the
 * application to a shared destination reaches the subscribers on all nodes, once, in one
 * order for each destination; a message to a user reaches all sessions of the user.
 * Everything else stays with this node: subscriptions, heartbeats, replies to one
 * session, and the registry of connected users.
 * <p>
 * A message that the bus does not accept reaches no subscriber. If this is known
 * immediately, the application receives a {@link MessageDeliveryException}. Otherwise the
 * failure is logged, because Spring does not report the outcome of messages to clients.
 *
 * @since 0.1.0
 */
public final class ClusteredBroker implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ClusteredBroker.class);

	private final OrderedBroadcast broadcast;

	private final StompBroker broker;

	private final LocalStompSessions sessions;

	private final StompRoutes routes;

	private final SubscriptionInterceptor subscriptions;

	private final BoundedLog failures;

	private final NodeMessageCodec codec = new NodeMessageCodec();

	/**
	 * Creates the broker.
	 * @param broadcast brings messages to all nodes
	 * @param broker the broker of this node
	 * @param sessions the sessions of this node
	 * @param destinations patterns of the destinations that all nodes share
	 * @param maxReplay maximum number of characters of missed messages that a
	 * subscription receives
	 */
	public ClusteredBroker(OrderedBroadcast broadcast, StompBroker broker, LocalStompSessions sessions,
			Collection<String> destinations, long maxReplay) {
		this.broadcast = broadcast;
		this.broker = broker;
		this.sessions = sessions;
		this.routes = new StompRoutes(broker, sessions::isHere, destinations);
		this.subscriptions = new SubscriptionInterceptor(this.routes,
				new MissedMessages(broadcast, broker.outbound(), this.routes, this.codec, sessions, maxReplay));
		this.failures = new BoundedLog(logger, NanoClock.system(),
				"A message to a destination of all nodes was rejected");
	}

	/** Begins, before clients can connect. */
	@Override
	public void afterSingletonsInstantiated() {
		this.broker.inbound().addInterceptor(new ClusterInterceptor(this.routes::ofClient, this::publishForClient));
		this.broker.inbound().addInterceptor(this.subscriptions);
		this.broker.channel()
			.addInterceptor(new ClusterInterceptor(this.routes::ofApplication, this::publishForApplication));
		if (!this.broadcast.listen(this::deliver)) {
			logger.warn("The bus between nodes is not available: messages to destinations of all nodes are rejected"
					+ " until it is");
		}
	}

	private void publishForClient(NodeMessage routed, Message<?> message) {
		publish(routed);
	}

	private void publishForApplication(NodeMessage routed, Message<?> message) {
		Throwable failure = publish(routed).handle((nothing, reason) -> reason).getNow(null);
		if (failure != null) {
			throw new MessageDeliveryException(message,
					"Message to '" + routed.destination() + "' was rejected: " + failure.getMessage(), failure);
		}
	}

	/**
	 * Returns a stage that ends when the bus has accepted the message, or fails with the
	 * reason.
	 */
	private CompletableFuture<@Nullable Void> publish(NodeMessage message) {
		CompletableFuture<@Nullable Void> publishing = new CompletableFuture<>();
		this.broadcast.publish(message.destination(), this.codec.write(message)).whenComplete((nothing, failure) -> {
			if (failure == null) {
				publishing.complete(null);
			}
			else {
				Throwable cause = failure.getCause();
				Throwable reason = (failure instanceof CompletionException && cause != null) ? cause : failure;
				this.failures.warn(message.destination(), reason);
				publishing.completeExceptionally(reason);
			}
		});
		SuspendedTask.until(publishing);
		return publishing;
	}

	private void deliver(TopicEntry entry) {
		NodeMessage message = this.codec.read(entry.payload());
		String position = entry.at().toString();
		if (!this.routes.isOfUser(message.destination())) {
			this.broker.broker().handleMessage(message.message(position));
		}
		else if (message.sessionId() == null || this.sessions.isHere(message.sessionId())) {
			this.broker.users().handleMessage(message.message(this.routes.isForUser(message) ? position : null));
		}
	}

}
