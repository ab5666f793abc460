package dev.sluice.jdbc.throttle;

/** Threads that must not block, known by the names of their types. */
final class BlockingThreads {

	private BlockingThreads() {
	}

	/**
	 * Checks that this thread may block.
	 * @throws IllegalStateException if it is an event loop
	 */
	static void requireMayBlock() {
		Thread thread = Thread.currentThread();
		for (Class<?> type = thread.getClass(); type != Thread.class; type = type.getSuperclass()) {
			boolean netty = type.getName().equals("io.netty.util.concurrent.FastThreadLocalThread");
			boolean reactor = false;
			for (Class<?> marker : type.getInterfaces()) {
				reactor |= marker.getName().equals("reactor.core.scheduler.NonBlocking");
			}
			if (netty || reactor) {
				throw new IllegalStateException("Thread '" + thread.getName()
						+ "' must not block, and the answer is in the database; use acquire, with a maxWait of zero "
						+ "if need be");
			}
		}
	}

}
