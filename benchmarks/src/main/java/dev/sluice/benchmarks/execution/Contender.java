package dev.sluice.benchmarks.execution;

import java.util.concurrent.ExecutorService;

/** The contenders. */
public enum Contender {

	/** Sluice: two levels, bounded, each task with its future. */
	SLUICE("Sluice"),

	/** Guava's sequential executor per id: no levels, no bound, no futures. */
	GUAVA("Guava"),

	/** The same, each task with a {@link java.util.concurrent.CompletableFuture}. */
	GUAVA_FUTURE("Guava + CompletableFuture"),

	/** Netty's non-sticky event executor per id, on threads of its own. */
	NETTY("Netty NonSticky"),

	/** A Pekko actor per id, on a dispatcher of its own of the pool's kind and size. */
	PEKKO("Pekko"),

	/** The same with the mailbox that puts control messages first. */
	PEKKO_CONTROL("Pekko control-aware"),

	/** A chain of {@link java.util.concurrent.CompletableFuture}s per id. */
	FUTURE_CHAIN("CompletableFuture chain"),

	/** The floor: the bare pool, which keeps no order. */
	UNORDERED("unordered pool");

	final String title;

	Contender(String title) {
		this.title = title;
	}

	/** Makes one on the pool; a bounded one takes as many waiting tasks per id. */
	KeyedExecutor create(WorkerPool kind, ExecutorService pool, int capacity) {
		return switch (this) {
			case SLUICE -> new SluiceExecutor(pool, capacity);
			case GUAVA -> new GuavaExecutor(pool);
			case GUAVA_FUTURE -> new GuavaFutureExecutor(pool);
			case NETTY -> new NettyExecutor();
			case PEKKO -> new PekkoExecutor(kind, false);
			case PEKKO_CONTROL -> new PekkoExecutor(kind, true);
			case FUTURE_CHAIN -> new FutureChainExecutor(pool);
			case UNORDERED -> (id, task) -> pool.execute(task);
		};
	}

}
