package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.List;

import dev.sluice.redis.fault.BusUser.Call;

/** The only feature of an application that uses Redis, on several nodes. */
interface RedisUser extends AutoCloseable {

	/** Time by which a busy machine may exceed a timeout. */
	Duration BUSY = Duration.ofSeconds(2);

	/**
	 * Makes one call on each node; throws if one is not answered, by Redis or without it,
	 * in time.
	 * @return whether Redis has answered all as it does while there is no fault
	 */
	boolean call() throws Exception;

	/** Returns how many commands each call may send while Redis is unavailable. */
	int commandsOfACall();

	boolean isUp();

	/** Takes what a fault must neither keep nor lose. */
	default void take() {
	}

	/** Releases, during a fault, a part of what was taken. */
	default void release() {
	}

	/** Requires that nothing of what was taken is kept, in line or out of order. */
	default void requireReleased(boolean forgotten) throws Exception {
	}

	@Override
	void close();

	/** Returns nodes that have limits alone. */
	static LimitsUser limits(RedisAccess access, int nodes, Duration timeout) {
		return new LimitsUser(access, nodes, timeout);
	}

	/** Returns nodes that use a bus, in several ways in turn. */
	static RedisUser bus(RedisAccess access, int nodes, Duration timeout) {
		return new BusUser(access, nodes, timeout, Call.PUBLISH, Call.OCCUPY, Call.SEND, Call.KEEP, Call.PRESENT);
	}

	/**
	 * Feature of an application.
	 *
	 * @param name its name
	 * @param starts starts nodes that have it alone
	 */
	record Feature(String name, Starts starts) {

		static final List<Feature> ALL = List.of(new Feature("limits", RedisUser::limits),
				new Feature("topics", (access, nodes, timeout) -> new BusUser(access, nodes, timeout, Call.PUBLISH)),
				new Feature("sessions", (access, nodes, timeout) -> new BusUser(access, nodes, timeout, Call.OCCUPY)),
				new Feature("frames", (access, nodes, timeout) -> new BusUser(access, nodes, timeout, Call.SEND)),
				new Feature("resume", (access, nodes, timeout) -> new BusUser(access, nodes, timeout, Call.KEEP)),
				new Feature("presence", (access, nodes, timeout) -> new BusUser(access, nodes, timeout, Call.PRESENT)));

		@Override
		public String toString() {
			return this.name;
		}

	}

	/** Start of nodes. */
	interface Starts {

		RedisUser start(RedisAccess access, int nodes, Duration timeout);

	}

}
