package dev.sluice.websocket.session;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.sluice.execution.Level;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.socket.CloseStatus;

/**
 * The sessions of a dispatcher.
 *
 * @param sessions the sessions that are open
 * @param messages writes messages to many sessions
 * @param sends sends to many
 */
public record DefaultWebSocketSessionManager(SessionRegistry sessions, JsonMessages messages,
		SharedSends sends) implements WebSocketSessionManager {

	@Override
	public Optional<ManagedSession> get(String id) {
		Assert.notNull(id, "'id' must not be null");
		return Optional.ofNullable(this.sessions.find(id)).map(OrderedWebSocketSession::managed);
	}

	@Override
	public <T extends ManagedSession> List<T> find(Class<T> type, Predicate<? super T> filter) {
		Assert.notNull(type, "'type' must not be null");
		Assert.notNull(filter, "'filter' must not be null");
		return managed().filter(type::isInstance).map(type::cast).filter(filter).toList();
	}

	@Override
	public int count() {
		return this.sessions.open().size();
	}

	@Override
	public Map<String, Integer> countByType() {
		Map<String, Integer> counts = new TreeMap<>();
		managed().forEach((session) -> counts.merge(typeOf(session), 1, Integer::sum));
		return counts;
	}

	@Override
	public String typeOf(ManagedSession session) {
		Assert.notNull(session, "'session' must not be null");
		return (session instanceof HandlerSession handler) ? handler.type()
				: ClassUtils.getUserClass(session).getSimpleName();
	}

	@Override
	public <T extends ManagedSession> CompletableFuture<Integer> postToAll(Class<T> type, Predicate<? super T> filter,
			Object message) {
		return broadcast(type, filter, message, Level.NORMAL);
	}

	@Override
	public <T extends ManagedSession> CompletableFuture<Integer> sendToAll(Class<T> type, Predicate<? super T> filter,
			Object message) {
		return broadcast(type, filter, message, Level.HIGH);
	}

	@Override
	public CompletableFuture<Boolean> close(String id, CloseStatus status) {
		CloseStatuses.requireAllowed(status);
		return get(id).map((session) -> session.close(status).thenApply((ended) -> true))
			.orElseGet(() -> CompletableFuture.completedFuture(false));
	}

	@Override
	public CompletableFuture<@Nullable Void> closeAll(CloseStatus status) {
		CloseStatuses.requireAllowed(status);
		return forAll((session) -> session.outbound().close(status, Level.HIGH));
	}

	@Override
	public CompletableFuture<@Nullable Void> drainAndCloseAll() {
		return forAll((session) -> session.drainAndClose(CloseStatuses.DRAINED));
	}

	@Override
	public void abortAll() {
		this.sessions.open().forEach((session) -> session.outbound().abort());
	}

	@Override
	public boolean abandon(String id) {
		Assert.notNull(id, "'id' must not be null");
		List<OrderedWebSocketSession> left = this.sessions.unended()
			.stream()
			.filter((session) -> session.getId().equals(id) && this.sessions.find(id) != session)
			.toList();
		left.forEach(OrderedWebSocketSession::abandon);
		return !left.isEmpty();
	}

	private Stream<ManagedSession> managed() {
		return this.sessions.open().stream().map(OrderedWebSocketSession::managed).filter(Objects::nonNull);
	}

	private <T extends ManagedSession> CompletableFuture<Integer> broadcast(Class<T> type, Predicate<? super T> filter,
			Object payload, Level level) {
		Assert.notNull(type, "'type' must not be null");
		Assert.notNull(filter, "'filter' must not be null");
		Assert.notNull(payload, "'message' must not be null");
		WrittenMessage written = this.messages.write(payload);
		AtomicInteger sent = new AtomicInteger();
		List<OrderedWebSocketSession> chosen = this.sessions.open()
			.stream()
			.filter((session) -> !StringUtils.hasLength(session.getAcceptedProtocol()))
			.filter((session) -> type.isInstance(session.managed()) && filter.test(type.cast(session.managed())))
			.toList();
		return this.sends.send(chosen, written, level, (session, failure) -> {
			if (failure == null) {
				sent.incrementAndGet();
			}
		}).thenApply((ended) -> sent.get());
	}

	private CompletableFuture<@Nullable Void> forAll(
			Function<OrderedWebSocketSession, CompletableFuture<@Nullable Void>> action) {
		return SessionRegistry.all(this.sessions.open().stream().map(action).toList());
	}

}
