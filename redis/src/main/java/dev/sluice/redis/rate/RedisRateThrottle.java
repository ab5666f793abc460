package dev.sluice.redis.rate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.StoreUnavailableException;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/** A rate in Redis. */
public final class RedisRateThrottle extends RedisThrottle {

	private static final int ADMITTED = 0;

	private static final int LIMIT = 1;

	private static final int WAITING = 3;

	private final Map<String, RateLine> lines = new ConcurrentHashMap<>();

	private final Map<String, PermitPrefetch> batches = new ConcurrentHashMap<>();

	private final AtomicLong members = new AtomicLong();

	private final UnansweredCalls calls = new UnansweredCalls();

	/** What the limit was made of, and the terms made of it. */
	private volatile Known known;

	public RedisRateThrottle(RedisNode node, String resource, Definition definition) {
		super(node, resource, definition);
		this.known = new Known(definition.limit(), CompiledRate.of(definition.limit()));
	}

	private record Known(Limit limit, CompiledRate terms) {
	}

	private CompiledRate terms() {
		Known known = this.known;
		Limit limit = limit();
		if (known.limit != limit) {
			known = new Known(limit, CompiledRate.of(limit));
			this.known = known;
		}
		return known.terms;
	}

	@Override
	protected CompletableFuture<List<Object>> ask(String operation, String key, String... arguments) {
		CompiledRate terms = terms();
		KeyNames names = this.node.names();
		List<String> all = new ArrayList<>(10 + arguments.length);
		all.add(operation);
		all.add(names.nodeChannel(""));
		all.add(this.node.name());
		Collections.addAll(all, terms.numbers());
		if (terms.isShared()) {
			all.add(key);
		}
		Collections.addAll(all, arguments);
		return this.node.link().ask(terms.script(), terms.keys(names, this.resource, key), all.toArray(new String[0]));
	}

	/**
	 * Runs an operation that grants permits, and undoes it should its answer be lost.
	 * @param asked how many permits it asks for, 0 if it does not say
	 */
	CompletableFuture<List<Object>> call(String operation, String key, int asked, String... arguments) {
		return call(operation, key, asked, List.of(), arguments);
	}

	/** Runs an operation as above; to undo it, its place in line is left, too. */
	private CompletableFuture<List<Object>> call(String operation, String key, int asked, List<String> places,
			String... arguments) {
		String call = this.calls.begin(key);
		String[] all = Arrays.copyOf(arguments, arguments.length + 2);
		all[arguments.length] = call;
		all[arguments.length + 1] = this.calls.of(key);
		return ask(operation, key, all).whenComplete((reply, failure) -> {
			if (failure != null && RedisConnections.mayBeRun(failure)) {
				List<String> undone = new ArrayList<>(List.of(call, Integer.toString(asked)));
				undone.addAll(places);
				release("undo", key, this.node.lease(), undone.toArray(new String[0]))
					.thenRun(() -> this.calls.end(key, call));
			}
			else {
				this.calls.end(key, call);
			}
		});
	}

	private CompletableFuture<Void> release(String operation, String key, Duration atMost, String... arguments) {
		return this.node.releases()
			.add(() -> ask(operation, key, arguments).thenApply((reply) -> code(reply) == 1), atMost);
	}

	// Decisions

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		RedisConnections.requireMayBlock();
		List<Object> inHand = takeInHand(request);
		if (inHand != null) {
			return decision(request, inHand);
		}
		return whileOpen(request, this::askAndWait);
	}

	private Decision askAndWait(AcquireRequest request) {
		CompletableFuture<List<Object>> asked = take(request);
		try {
			return decision(request, this.node.link().await(asked));
		}
		catch (StoreUnavailableException ex) {
			undoIfTaken(asked, request);
			return unavailable(request.key());
		}
	}

	/** Takes from what this node has taken ahead, or returns nothing. */
	private @Nullable List<Object> takeInHand(AcquireRequest request) {
		PermitPrefetch batch = this.batches.get(request.key());
		return (batch != null) ? batch.takeInHand(request.permits()) : null;
	}

	/** Returns how many permits may be taken at once. */
	int batch() {
		Integer batch = options().batch();
		return (batch != null) ? batch : this.node.batch();
	}

	/** Asks Redis, for this call alone or together with others. */
	private CompletableFuture<List<Object>> take(AcquireRequest request) {
		while (true) {
			PermitPrefetch batch = this.batches.computeIfAbsent(request.key(), (key) -> new PermitPrefetch(this, key));
			CompletableFuture<List<Object>> taken = batch.take(request.permits());
			if (taken != null) {
				return taken;
			}
			forgetBatch(request.key(), batch);
		}
	}

	void forgetBatch(String key, PermitPrefetch batch) {
		this.batches.remove(key, batch);
	}

	/** Gives back what was taken of a key for calls to come. */
	private void giveBackAhead(String key) {
		PermitPrefetch batch = this.batches.get(key);
		if (batch != null) {
			batch.giveBack();
		}
	}

	@Override
	public void giveBackAll() {
		this.batches.values().forEach(PermitPrefetch::giveBack);
	}

	private Decision decision(AcquireRequest request, List<Object> reply) {
		long value = (long) reply.get(1);
		int code = code(reply);
		if (code == ADMITTED) {
			this.counts.admitted(request.permits());
			return Decision.admitted(new RatePermit(value));
		}
		this.counts.rejected(request.key());
		return Decision.rejected((code == LIMIT) ? Decision.Reason.LIMIT : Decision.Reason.LINE, this.resource,
				request.key(), micros(value));
	}

	private static Duration micros(long micros) {
		return Duration.of(micros, ChronoUnit.MICROS);
	}

	/** Gives back what was granted too late for anybody to have it. */
	private void undoIfTaken(CompletableFuture<List<Object>> asked, AcquireRequest request) {
		asked.thenAccept((reply) -> {
			if (code(reply) == ADMITTED) {
				giveBack(request.key(), request.permits(), (long) reply.get(1));
			}
		});
	}

	/** Gives permits back, later if not now, but never twice. */
	void giveBack(String key, int permits, long takenAt) {
		this.node.releases()
			.add(() -> ask("refund", key, Integer.toString(permits), Long.toString(takenAt))
				.handle((reply, failure) -> failure == null || RedisConnections.mayBeRun(failure)), this.node.lease());
	}

	@Override
	public void refund(AcquireRequest request, Permit permit) {
		this.counts.admitted(-request.permits());
		giveBack(request.key(), request.permits(), ((RatePermit) permit).takenAt());
	}

	// The line

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		List<Object> inHand = takeInHand(request);
		if (inHand != null) {
			return CompletableFuture.completedFuture(decision(request, inHand).permit());
		}
		if (request.maxWait().isZero()) {
			return whileOpenAsync(request, this::acquireAtOnce);
		}
		return whileOpenAsync(request, (batch() > 1) ? this::acquireAheadOrInLine : this::acquireInLine);
	}

	private CompletableFuture<Permit> acquireAtOnce(AcquireRequest request) {
		CompletableFuture<List<Object>> asked = take(request);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		this.node.link()
			.inTime(asked)
			.whenComplete((reply, failure) -> answer(acquired, request, decided(request, asked, reply)));
		return acquired;
	}

	private Decision decided(AcquireRequest request, CompletableFuture<List<Object>> asked,
			@Nullable List<Object> reply) {
		if (reply == null) {
			undoIfTaken(asked, request);
			return unavailable(request.key());
		}
		return decision(request, reply);
	}

	private void answer(CompletableFuture<Permit> acquired, AcquireRequest request, Decision decision) {
		if (!decision.admitted()) {
			acquired.completeExceptionally(decision.throttled());
		}
		else if (!acquired.complete(decision.permit())) {
			refund(request, decision.permit());
		}
	}

	/**
	 * Stands in line only if too little was taken ahead; and then keeps none of that, as
	 * it would pass whoever waits.
	 */
	private CompletableFuture<Permit> acquireAheadOrInLine(AcquireRequest request) {
		long start = System.nanoTime();
		CompletableFuture<List<Object>> asked = take(request);
		CompletableFuture<Permit> acquired = new CompletableFuture<>();
		this.node.link().inTime(asked).whenComplete((reply, failure) -> {
			Duration left = request.maxWait().minusNanos(System.nanoTime() - start);
			if (reply != null && code(reply) != ADMITTED && left.compareTo(micros((long) reply.get(1))) >= 0) {
				giveBackAhead(request.key());
				follow(acquired, request, whileOpenAsync(request.maxWait(left), this::acquireInLine));
			}
			else {
				answer(acquired, request, decided(request, asked, reply));
			}
		});
		return acquired;
	}

	private void follow(CompletableFuture<Permit> acquired, AcquireRequest request, CompletableFuture<Permit> inLine) {
		inLine.whenComplete((permit, failure) -> {
			if (permit == null) {
				acquired.completeExceptionally(failure);
			}
			else if (!acquired.complete(permit)) {
				refund(request, permit);
			}
		});
		acquired.whenComplete((permit, failure) -> inLine.cancel(false));
	}

	private CompletableFuture<Permit> acquireInLine(AcquireRequest request) {
		String key = request.key();
		String member = this.node.name() + '.' + this.members.incrementAndGet() + '.' + request.permits();
		RedisWaiter waiter = new RedisWaiter(member, request.permits());
		RateLine line;
		do {
			line = this.lines.computeIfAbsent(key, (absent) -> new RateLine(this, absent));
		}
		while (!line.add(waiter));
		RateLine joined = line;
		boolean timed = request.maxWait().compareTo(LONGEST_TIMED_WAIT) <= 0;
		if (timed) {
			waiter.endBy(this.node.timer()
				.schedule(() -> joined.fail(waiter, null, Decision.Reason.LIMIT), request.maxWait().toNanos(),
						TimeUnit.NANOSECONDS));
		}
		CompletableFuture<List<Object>> asked = call("enter", key, request.permits(), List.of(member), member,
				timed ? Long.toString(request.maxWait().toNanos() / 1000) : "-1",
				Integer.toString(options().maxWaiting()), this.node.leaseMicros());
		waiter.leaveBy((permit, failure) -> {
			joined.remove(waiter);
			if (permit == null) {
				this.node.releases().add(() -> ask("leave", key, member).thenApply((reply) -> true), this.node.lease());
			}
		});
		this.node.link().inTime(asked).whenComplete((reply, failure) -> {
			if (failure != null) {
				undoIfTaken(asked, request);
				waiter.completeExceptionally(unavailable(key).throttled());
			}
			else {
				entered(joined, waiter, request, reply);
			}
		});
		return waiter;
	}

	private void entered(RateLine line, RedisWaiter waiter, AcquireRequest request, List<Object> reply) {
		if (code(reply) == WAITING) {
			waiter.standing = true;
			line.lookAfter((long) reply.get(1));
			return;
		}
		answer(waiter, request, decision(request, reply));
	}

	/** Reads from a place in line how many permits are wanted there. */
	static int permitsOf(String member) {
		return Integer.parseInt(member.substring(member.lastIndexOf('.') + 1));
	}

	boolean isLineOf(String key, RateLine line) {
		return this.lines.get(key) == line;
	}

	void forgetLine(String key, RateLine line) {
		this.lines.remove(key, line);
	}

	@Override
	public void look(String key) {
		RateLine line = this.lines.get(key);
		if (line != null) {
			line.look();
		}
	}

	@Override
	public List<RedisWaiter> waiters() {
		return this.lines.values().stream().flatMap((line) -> line.waiters().stream()).toList();
	}

	@Override
	public void failAll() {
		this.lines.values().forEach((line) -> line.failAbove(0));
	}

	@Override
	public void lookAtAll() {
		this.lines.values().forEach(RateLine::look);
	}

	@Override
	public void askAfterAll() {
		this.lines.values().forEach(RateLine::standAndLook);
	}

	@Override
	public void leaveLine() {
		this.lines.values().forEach(RateLine::leave);
	}

	@Override
	protected void judgeAgain(Limit before) {
		giveBackAll();
		int most = limit().maxPermits();
		boolean moved = isShared(before) != isShared(limit());
		this.lines.values().forEach((line) -> {
			if (moved) {
				line.stand();
			}
			line.failAbove(most);
		});
	}

	private static boolean isShared(Limit limit) {
		return limit instanceof Limit.DynamicWindow;
	}

	@Override
	protected Runnable prepareToMove(Limit before, Limit limit) {
		if (isShared(before) == isShared(limit)) {
			return super.prepareToMove(before, limit);
		}
		Relocation relocation = new Relocation(this, isShared(before));
		relocation.prepare();
		return relocation::run;
	}

	// Administration

	@Override
	public boolean release(String key, String owner) {
		return false;
	}

	@Override
	public boolean forget(String key) {
		giveBackAhead(key);
		return (long) this.node.link().await(ask("forget", key)).get(0) == 1;
	}

	@Override
	protected void requireNotHeld() {
	}

	@Override
	protected String states() {
		return isShared(limit()) ? this.node.names().sharingStates(this.resource) : super.states();
	}

	@Override
	protected List<String> everything() {
		KeyNames names = this.node.names();
		return List.of(names.all(this.resource), names.everythingShared(this.resource));
	}

	@Override
	protected CompletableFuture<Look> describe(String key) {
		return ask("look", key).thenApply((reply) -> {
			int limit = ((Long) reply.get(4)).intValue();
			int used = ((Long) reply.get(0)).intValue();
			int waiting = ((Long) reply.get(2)).intValue();
			KeyState state = new KeyState(key, limit, used, Math.max(0, limit - used), this.counts.rejectedOf(key),
					waiting, micros((long) reply.get(3)), micros((long) reply.get(1)), Optional.empty());
			return new Look(state, List.of());
		});
	}

}
