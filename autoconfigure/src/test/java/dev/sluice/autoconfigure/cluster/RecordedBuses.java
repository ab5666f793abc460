package dev.sluice.autoconfigure.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Publication;

/** Nodes of one bus, of which a test knows the names, and which it delays and fails. */
final class RecordedBuses {

	private final MemoryBus bus = new MemoryBus();

	private final List<String> published = new CopyOnWriteArrayList<>();

	private final Set<String> joined = ConcurrentHashMap.newKeySet();

	private volatile UnaryOperator<CompletableFuture<?>> outcome = UnaryOperator.identity();

	private volatile boolean failing;

	private volatile UnaryOperator<CompletableFuture<?>> reading = UnaryOperator.identity();

	private volatile boolean isReading;

	ClusterBus connect() {
		ClusterBus node = this.bus.connect();
		return (ClusterBus) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { ClusterBus.class },
				(proxy, method, arguments) -> invoke(node, method, arguments));
	}

	private Object invoke(ClusterBus node, Method method, Object[] arguments) throws Throwable {
		if (method.getName().equals("join")) {
			this.joined.add((String) arguments[0]);
		}
		boolean publishes = method.getName().equals("publish");
		if (publishes) {
			this.published.add(((Publication) arguments[0]).name());
		}
		try {
			if (publishes) {
				return this.outcome.apply(this.failing ? null : (CompletableFuture<?>) method.invoke(node, arguments));
			}
			if (method.getName().equals("read")) {
				this.isReading = true;
				return this.reading.apply((CompletableFuture<?>) method.invoke(node, arguments));
			}
			return method.invoke(node, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/** Returns the names under which was published, once for each publication. */
	List<String> published() {
		return this.published;
	}

	/** Returns the names that nodes have joined. */
	Set<String> joined() {
		return this.joined;
	}

	/** Lets nothing be published. */
	void fail(RuntimeException failure) {
		this.failing = true;
		this.outcome = (publishing) -> CompletableFuture.failedFuture(failure);
	}

	/** Lets nobody know of what is published, until the future ends. */
	CompletableFuture<?> delay() {
		CompletableFuture<?> delay = new CompletableFuture<>();
		this.outcome = (publishing) -> delay.thenCompose((nothing) -> publishing);
		return delay;
	}

	/** Lets nothing be read. */
	void failReading(RuntimeException failure) {
		this.reading = (history) -> CompletableFuture.failedFuture(failure);
	}

	/** Lets nobody read anything, until the future ends. */
	CompletableFuture<?> delayReading() {
		this.isReading = false;
		CompletableFuture<?> delay = new CompletableFuture<>();
		this.reading = (history) -> delay.thenCompose((nothing) -> history);
		return delay;
	}

	/** Returns whether somebody has begun to read since. */
	boolean isReading() {
		return this.isReading;
	}

	void restore() {
		this.reading = UnaryOperator.identity();
		this.failing = false;
		this.outcome = UnaryOperator.identity();
	}

}
