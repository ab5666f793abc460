package dev.sluice.cluster.endpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;

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

	/** A call of the records. */
	interface Call {

		Object of(SessionRecords records, Method method, Object[] arguments) throws ReflectiveOperationException;

	}

}
