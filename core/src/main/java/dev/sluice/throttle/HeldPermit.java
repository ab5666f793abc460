package dev.sluice.throttle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.OptionalLong;

/** One entry of an owner into a mutex or semaphore. */
final class HeldPermit implements Permit {

	private static final VarHandle CLOSED;

	static {
		try {
			CLOSED = MethodHandles.lookup().findVarHandle(HeldPermit.class, "closed", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Hold hold;

	@SuppressWarnings("unused") // by CLOSED
	private volatile boolean closed;

	HeldPermit(Hold hold) {
		this.hold = hold;
	}

	@Override
	public void close() {
		if (CLOSED.compareAndSet(this, false, true)) {
			this.hold.throttle.exit(this.hold);
		}
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.hold.token);
	}

	@Override
	public void onLost(Runnable action) {
		// never lost in memory
	}

	@Override
	public String toString() {
		return "Permit[" + this.hold.throttle.resource() + ", token=" + this.hold.token + "]";
	}

}
