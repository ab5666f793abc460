package dev.sluice.cluster.internal;

import java.util.function.Predicate;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.broadcast.ShardedBroadcast;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Dispatches messages of other nodes to their turns: one queue for each node. */
final class FrameDispatcher implements BusListener {

	private final BoundedLog unreadable;

	private final FrameCodec codec;

	private final SequentialLeveledTaskExecutor turns;

	private final RequestRunner runner;

	private final OpenRequests requests;

	private final LocalTopics topics;

	private final ShardedBroadcast broadcast;

	private final PrincipalNames principals;

	private final Predicate<String> others;

	private final Runnable interruption;

	/**
	 * Creates the dispatcher.
	 * @param others receives messages that this dispatcher does not read
	 * @param interruption called when messages may have been missed
	 */
	FrameDispatcher(FrameCodec codec, SequentialLeveledTaskExecutor turns, RequestRunner runner, OpenRequests requests,
			LocalTopics topics, ShardedBroadcast broadcast, PrincipalNames principals, Predicate<String> others,
			Runnable interruption, NanoClock clock) {
		this.codec = codec;
		this.turns = turns;
		this.runner = runner;
		this.requests = requests;
		this.topics = topics;
		this.broadcast = broadcast;
		this.principals = principals;
		this.others = others;
		this.interruption = interruption;
		this.unreadable = new BoundedLog(LogFactory.getLog(FrameDispatcher.class), clock,
				"A message of another node cannot be read, and is not handled");
	}

	@Override
	public void received(String frame) {
		Record read;
		try {
			if (this.others.test(frame)) {
				return;
			}
			read = this.codec.read(frame);
		}
		catch (RuntimeException ex) {
			this.unreadable.warn("message between nodes", ex);
			return;
		}
		if (read instanceof Answer answer) {
			this.requests.answered(answer);
		}
		else if (read instanceof Request request) {
			run(request);
		}
		else {
			answer((OutcomeRequest) read);
		}
	}

	/**
	 * Runs a request of a node. A request that finds no place in the queue is sent again
	 * by that node.
	 */
	void run(Request request) {
		inTurn(request.origin(), () -> this.runner.run(request));
	}

	private void answer(OutcomeRequest question) {
		if (question.topic() == null || this.runner.knows(question)) {
			inTurn(question.origin(), () -> this.runner.answer(question));
		}
		else {
			this.topics.find(question.topic()).thenAccept((members) -> {
				if (members != null) {
					this.runner.answerLost(question, members);
				}
			});
		}
	}

	private void inTurn(String origin, Runnable task) {
		this.turns.execute("node:" + origin, Level.NORMAL, task);
	}

	@Override
	public void published(String name, TopicEntry entry, @Nullable Position before) {
		if (name.startsWith(LocalTopics.PREFIX)) {
			this.topics.published(name.substring(LocalTopics.PREFIX.length()), entry, before);
		}
		else if (name.startsWith(ShardedBroadcast.PREFIX)) {
			this.broadcast.published(name, entry, before);
		}
	}

	@Override
	public void interrupted() {
		this.requests.ask();
		this.topics.interrupted();
		this.broadcast.interrupted();
		this.principals.interrupted();
		this.interruption.run();
	}

}
