package dev.sluice.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One-word lock that its subclass extends, so that it takes no object of its own. It is
 * held for a few instructions, never over user code, a completion or a wait. A thread
 * that finds it held spins briefly, then yields.
 */
public abstract class SpinGuard {

	/*
	 * "guard" is 1 while a thread holds the lock, which is not reentrant. The CAS
	 * acquires, and the store at the end releases, what was written under the lock.
	 * Attacked by SequentialQueueLincheckTests and BatchConsumerLincheckTests.
	 */

	private static final int SPINS = 64;

	private static final VarHandle GUARD = FieldHandles.find(MethodHandles.lookup(), "guard", int.class);

	@SuppressWarnings("unused")
	private volatile int guard;

	protected SpinGuard() {
	}

	protected final void lock() {
		for (int spins = 0; !GUARD.compareAndSet(this, 0, 1); spins++) {
			pause(spins);
		}
	}

	protected final void unlock() {
		GUARD.setRelease(this, 0);
	}

	/** Waits a moment for a thread that is a few instructions from its goal. */
	public static void pause(int spins) {
		if (spins < SPINS) {
			Thread.onSpinWait();
		}
		else {
			Thread.yield();
		}
	}

}
