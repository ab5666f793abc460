package dev.sluice.cluster.endpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.Callable;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.SessionRecords;

/** A bus with whose records of sessions a test interferes. */
final class ProxiedRecords {

	private ProxiedRecords() {
	}

	/** Returns the bus, whose records are called by the function instead. */
	static ClusterBus of(ClusterBus bus, Call call) {
		SessionRecords target = Objects.requireNonNull(bus.records());
		Object records = Proxy.newProxyInstance(SessionRecords.class.getClassLoader(),
				new Class<?>[] { SessionRecords.class },
				(proxy, method, arguments) -> call.of(target, method, arguments));
		return (ClusterBus) Proxy.newProxyInstance(ClusterBus.class.getClassLoader(),
				new Class<?>[] { ClusterBus.class }, (proxy, method, arguments) -> {
					try {
						return method.getName().equals("records") ? records : method.invoke(bus, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	/** Returns the bus with another answer to the method of a name. */
	static ClusterBus with(ClusterBus bus, String name, Answer answer) {
		return (ClusterBus) Proxy.newProxyInstance(ClusterBus.class.getClassLoader(),
				new Class<?>[] { ClusterBus.class }, (proxy, method, arguments) -> {
					try {
						Callable<Object> call = () -> method.invoke(bus, arguments);
						return method.getName().equals(name) ? answer.to(call) : call.call();
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	/** Answers a call, or leaves that to the bus. */
	interface Answer {

		Object to(Callable<Object> call) throws Exception;

	}

	/** A call of the records. */
	interface Call {

		Object of(SessionRecords records, Method method, Object[] arguments) throws ReflectiveOperationException;

	}

}
