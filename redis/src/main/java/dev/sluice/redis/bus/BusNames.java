package dev.sluice.redis.bus;

import dev.sluice.redis.connection.KeyNames;

/**
 * Names of keys and channels of the bus: <pre>
 * sluice:bus:nodes                which nodes live, and until when
 * sluice:bus:{t:room-7}           list: position, last millisecond, size and payload of each message
 * sluice:bus:{t:room-7}:top       position of the latest message
 * sluice:bus:{t:room-7}:in        hash: the places of each node that is interested
 * sluice:bus:{t:room-7}:who       hash: the nodes at which each member is present
 * sluice:bus:{Zk3v9QxW_a1B}:session  hash: what is kept of a session that may be resumed
 * sluice:bus:node:x4k2m9qa        channel: messages for one node
 * sluice:bus:all                  channel: messages for all
 * </pre>
 *
 * @param prefix of all names
 */
record BusNames(String prefix) {

	String nodes() {
		return this.prefix + "bus:nodes";
	}

	String history(String name) {
		return this.prefix + "bus:{" + KeyNames.escape(name) + '}';
	}

	String top(String name) {
		return history(name) + ":top";
	}

	String interest(String name) {
		return history(name) + ":in";
	}

	String present(String name) {
		return history(name) + ":who";
	}

	String session(String key) {
		return history(key) + ":session";
	}

	String nodeChannels() {
		return this.prefix + "bus:node:";
	}

	String allChannel() {
		return this.prefix + "bus:all";
	}

}
