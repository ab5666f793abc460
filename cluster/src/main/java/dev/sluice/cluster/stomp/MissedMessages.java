package dev.sluice.cluster.stomp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.broadcast.BroadcastPlace;
import dev.sluice.cluster.broadcast.OrderedBroadcast;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.stomp.LocalStompSessions;
import dev.sluice.websocket.stomp.SuspendedTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;

/** Replay of missed messages to returning subscribers. */
final class MissedMessages {

	/*
	 * A subscription begins in the turn of its destination's order, after all messages
	 * delivered so far. The receipt, the missed messages and the new messages are sent in
	 * this order, because each of them is sent on the thread of that turn. The turn of
	 * the session is held until the missed messages were sent, so that a client has one
	 * replay at a time.
	 *
	 * Attacked by StompResumeContract.
	 */

	private static final Log logger = LogFactory.getLog(MissedMessages.class);

	private static final int MAX_POSITION_LENGTH = 512;

	private static final BroadcastPlace UNKNOWN = new BroadcastPlace(null, null);

	private static final byte[] EMPTY = new byte[0];

	private final OrderedBroadcast broadcast;

	private final MessageChannel outbound;

	private final StompRoutes routes;

	private final NodeMessageCodec codec;

	private final LocalStompSessions sessions;

	private final long maxReplay;

	private final BoundedLog unreadable;

	MissedMessages(OrderedBroadcast broadcast, MessageChannel outbound, StompRoutes routes, NodeMessageCodec codec,
			LocalStompSessions sessions, long maxReplay) {
		this.broadcast = broadcast;
		this.outbound = outbound;
		this.routes = routes;
		this.codec = codec;
		this.sessions = sessions;
		this.maxReplay = maxReplay;
		this.unreadable = new BoundedLog(logger, NanoClock.system(),
				"A message missed by a client cannot be read; its receipt reports missing messages");
	}

	/** Makes the handler subscribe, in the turn of the destination. */
	void subscribe(Message<?> subscription, MessageHandler handler) {
		String source = this.routes.sourceOf(subscription);
		if (source == null) {
			begin(subscription, handler, null, UNKNOWN);
			return;
		}
		String known = NodeMessage.header(subscription, NodeMessage.POSITION);
		boolean readable = known != null && !known.isEmpty() && known.length() <= MAX_POSITION_LENGTH;
		SuspendedTask.until(this.broadcast
			.stopAt(source, readable ? known : null, (place) -> begin(subscription, handler, source, place))
			.exceptionally((failure) -> {
				logger.debug("A subscription begins behind no position", failure);
				begin(subscription, handler, source, UNKNOWN);
				return null;
			}));
	}

	/**
	 * Begins a subscription; returns a stage that ends when all missed messages were
	 * sent.
	 */
	private CompletionStage<?> begin(Message<?> subscription, MessageHandler handler, @Nullable String source,
			BroadcastPlace place) {
		handler.handleMessage(subscription);
		List<TopicEntry> missed = (source != null) ? missed(source, place) : null;
		String known = NodeMessage.header(subscription, NodeMessage.POSITION);
		Boolean recovered = (known != null) ? missed != null : null;
		if (missed == null || missed.isEmpty()) {
			receipt(subscription, place.at(), recovered);
			return CompletableFuture.completedFuture(null);
		}
		List<Message<byte[]>> messages = new ArrayList<>();
		String from = known;
		for (TopicEntry entry : missed) {
			Message<byte[]> message = replayed(entry, subscription);
			if (message != null) {
				messages.add(message);
			}
			else { // the client reloads the state that earlier messages are part of
				messages.clear();
				from = entry.at().toString();
				recovered = false;
			}
		}
		receipt(subscription, from, recovered);
		messages.forEach(this.outbound::send);
		return this.sessions.sent(SimpMessageHeaderAccessor.getSessionId(subscription.getHeaders()));
	}

	private @Nullable Message<byte[]> replayed(TopicEntry entry, Message<?> subscription) {
		try {
			return this.codec.read(entry.payload()).replayed(entry.at().toString(), subscription);
		}
		catch (RuntimeException ex) {
			this.unreadable.warn("position " + entry.at(), ex);
			return null;
		}
	}

	/** Returns the messages for a destination, or {@code null} if some are missing. */
	private @Nullable List<TopicEntry> missed(String source, BroadcastPlace place) {
		List<TopicEntry> all = place.missed();
		if (all == null) {
			return null;
		}
		List<TopicEntry> missed = all.stream().filter((entry) -> this.codec.mayBeTo(entry.payload(), source)).toList();
		return (missed.stream().mapToLong((entry) -> entry.payload().length()).sum() <= this.maxReplay) ? missed : null;
	}

	private void receipt(Message<?> subscription, @Nullable String position, @Nullable Boolean recovered) {
		String receipt = NodeMessage.header(subscription, StompHeaderAccessor.STOMP_RECEIPT_HEADER);
		if (receipt == null) {
			return;
		}
		StompHeaderAccessor accessor = StompHeaderAccessor.create(StompCommand.RECEIPT);
		accessor.setReceiptId(receipt);
		accessor.setSessionId(SimpMessageHeaderAccessor.getSessionId(subscription.getHeaders()));
		accessor.setNativeHeader(NodeMessage.POSITION, position);
		if (recovered != null) {
			accessor.setNativeHeader("recovered", recovered.toString());
		}
		this.outbound.send(MessageBuilder.createMessage(EMPTY, accessor.getMessageHeaders()));
	}

}
