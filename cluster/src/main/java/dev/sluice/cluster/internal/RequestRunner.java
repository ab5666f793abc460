package dev.sluice.cluster.internal;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.execution.Level;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SharedSends;

import org.springframework.util.StringUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;

/** Runs requests of other nodes for the sessions of this one, each of them once. */
final class RequestRunner {

	private static final int MAX_FOUND = 1000;

	private final String node;

	private final LocalSessions sessions;

	private final SharedSends sends;

	private final Outcomes outcomes;

	private final Answers answers;

	private final ClusterObserver observer;

	RequestRunner(String node, LocalSessions sessions, SharedSends sends, Outcomes outcomes, Answers answers,
			ClusterObserver observer) {
		this.node = node;
		this.sessions = sessions;
		this.sends = sends;
		this.outcomes = outcomes;
		this.answers = answers;
		this.observer = observer;
	}

	void run(Request request) {
		if (!this.outcomes.begin(request.origin(), request.number())) {
			answer(new OutcomeRequest(request.origin(), request.number(), null));
			return;
		}
		Tally tally = new Tally();
		ObservedExchange observed = ObservedExchange.NONE;
		try {
			observed = this.observer.receiving(request.action().text(), request.query().topic(), request.headers());
			run(request, tally, observed);
		}
		catch (Throwable ex) {
			tally.add(ex);
			end(request, List.of(), 0, tally);
			observed.ended(ex);
			if (ex instanceof VirtualMachineError fatal) {
				throw fatal;
			}
		}
	}

	private void run(Request request, Tally tally, ObservedExchange observed) {
		ObservedMessage.Scope scope = observed.open();
		try {
			List<OrderedWebSocketSession> found = this.sessions.find(request.query());
			this.outcomes.count(request.origin(), request.number(), found.size());
			if (request.action() == Request.Action.FIND) {
				end(request, found, found.size(), tally);
				observed.ended(null);
				return;
			}
			act(request, found, tally).whenComplete((nothing, failure) -> {
				end(request, List.of(), found.size(), tally);
				observed.ended(null);
			});
		}
		finally {
			scope.close();
		}
	}

	private CompletableFuture<?> act(Request request, List<OrderedWebSocketSession> found, Tally tally) {
		if (request.action() == Request.Action.CLOSE) {
			CloseStatus status = new CloseStatus(request.code(), request.content());
			return CompletableFuture.allOf(found.stream()
				.map((session) -> session.outbound().close(status, Level.HIGH).handle((nothing, failure) -> {
					tally.add(failure);
					return nothing;
				}))
				.toArray(CompletableFuture[]::new));
		}
		List<OrderedWebSocketSession> speaking = found.stream()
			.filter((session) -> !StringUtils.hasLength(session.getAcceptedProtocol()))
			.toList();
		return this.sends.send(speaking, message(request),
				(request.action() == Request.Action.SEND) ? Level.HIGH : Level.NORMAL,
				(session, failure) -> tally.add(failure));
	}

	private static WrittenMessage message(Request request) {
		String content = Objects.requireNonNull(request.content());
		return new WrittenMessage(
				request.binary() ? new BinaryMessage(Base64.getDecoder().decode(content)) : new TextMessage(content),
				request.type());
	}

	private void end(Request request, List<OrderedWebSocketSession> found, int count, Tally tally) {
		Map<String, Integer> failures = tally.failures();
		Answer answer = new Answer(this.node, request.number(), Answer.State.DONE, count, tally.sent(), tally.unknown(),
				failures, found.stream().limit(MAX_FOUND).map(this.sessions::describe).toList());
		this.outcomes.end(request.origin(), answer);
		this.answers.send(request.origin(), answer);
	}

	/** Reports the progress of a request. */
	void answer(OutcomeRequest question) {
		this.answers.send(question.origin(), this.outcomes.find(question.origin(), question.number()));
	}

	/** Reports that a message was not found, unless it has been found in the meantime. */
	void answerLost(OutcomeRequest question, int members) {
		if (this.outcomes.begin(question.origin(), question.number())) {
			Answer answer = new Answer(this.node, question.number(), Answer.State.DONE, members, 0, 0,
					(members > 0) ? Map.of(Delivery.LOST, members) : Map.of(), List.of());
			this.outcomes.end(question.origin(), answer);
		}
		answer(question);
	}

	/** Returns whether something was begun. */
	boolean knows(OutcomeRequest question) {
		return this.outcomes.find(question.origin(), question.number()).state() != Answer.State.UNHEARD;
	}

}
