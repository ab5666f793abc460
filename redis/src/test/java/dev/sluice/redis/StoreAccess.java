package dev.sluice.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Operations on a store that only tests in other packages need. */
public final class StoreAccess {

	private StoreAccess() {
	}

	/** Ends a store as a node that dies. */
	public static void abandon(RedisThrottleStore store) {
		store.abandon();
	}

	/** Registers the node of a store, and counts the nodes. */
	public static void beat(RedisThrottleStore store) {
		store.beat();
	}

	/** Asks whether Redis can be used. */
	public static void probe(RedisThrottleStore store) {
		store.probe();
	}

	/** Closes a store while something is done with it again and again. */
	public static void close(RedisThrottleStore store, Consumer<RedisThrottleStore> meanwhile) throws Exception {
		AtomicBoolean closed = new AtomicBoolean();
		CountDownLatch underWay = new CountDownLatch(100);
		CompletableFuture<Void> busy = CompletableFuture.runAsync(() -> {
			while (!closed.get()) {
				meanwhile.accept(store);
				underWay.countDown();
				LockSupport.parkNanos(50_000);
			}
		});
		underWay.await();
		store.close();
		closed.set(true);
		busy.get(60, TimeUnit.SECONDS);
	}

}
