package dev.sluice.cluster.endpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecords;
import org.jspecify.annotations.Nullable;

/** A bus that holds what its node sends to others or claims, or has missed something. */
final class TappedBus {

	private final ClusterBus target;

	private final ClusterBus bus;

	private final Queue<Runnable> held = new ArrayDeque<>();

	private boolean holding;

	private boolean late;

	private boolean unheard;

	private @Nullable CompletableFuture<@Nullable Position> join;

	private @Nullable BusListener listener;

	TappedBus(ClusterBus target) {
		this.target = target;
		ClusterBus tapped = ProxiedRecords.of(target, this::call);
		this.bus = (ClusterBus) Proxy.newProxyInstance(TappedBus.class.getClassLoader(),
				new Class<?>[] { ClusterBus.class }, (proxy, method, arguments) -> call(tapped, method, arguments));
	}

	private Object call(SessionRecords records, Method method, Object[] arguments) throws ReflectiveOperationException {
		if (this.late && method.getName().equals("claim")) {
			this.held.add(() -> records.claim((SessionClaim) arguments[0], (Duration) arguments[1]));
			return CompletableFuture.failedFuture(new BusUnavailableException("No answer in time", true, null));
		}
		return method.invoke(records, arguments);
	}

	private @Nullable Object call(ClusterBus tapped, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.getName().equals("start") && arguments != null) {
			this.listener = (BusListener) arguments[0];
		}
		if (this.holding && method.getName().equals("send") && arguments != null) {
			this.held.add(() -> this.target.send((String) arguments[0], (String) arguments[1]));
			return CompletableFuture.completedFuture(true);
		}
		CompletableFuture<@Nullable Position> held = this.join;
		if (held != null && method.getName().equals("join")) {
			this.join = null;
			return held;
		}
		if (this.unheard && method.getName().equals("send")) {
			return CompletableFuture.completedFuture(false);
		}
		try {
			return method.invoke(tapped, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	ClusterBus bus() {
		return this.bus;
	}

	/** Holds what is sent to single nodes from now on. */
	void hold() {
		this.holding = true;
	}

	/** Nobody gets what is sent to single nodes from now on, as is known. */
	void lose() {
		this.unheard = true;
	}

	/** Holds the next name that is joined; returns what is to be completed. */
	CompletableFuture<@Nullable Position> holdJoin() {
		CompletableFuture<@Nullable Position> held = new CompletableFuture<>();
		this.join = held;
		return held;
	}

	/** Holds claims from now on, of which nothing is known in time. */
	void delayClaims() {
		this.late = true;
	}

	/** Sends what was held. */
	void release() {
		this.holding = false;
		this.late = false;
		for (Runnable send = this.held.poll(); send != null; send = this.held.poll()) {
			send.run();
		}
	}

	void interrupt() {
		BusListener present = this.listener;
		if (present != null) {
			present.interrupted();
		}
	}

}
