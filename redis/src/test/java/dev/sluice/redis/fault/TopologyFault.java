package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.protocol.CommandType;

/**
 * What can happen to a master that has a replica, to all masters, or to the network to
 * all servers.
 */
enum TopologyFault {

	/** Sentinels make the replica the master. */
	STOPPED((site) -> site.master().pause(), (site) -> site.master().goOn()),

	REFUSED((site) -> site.networks().forEach(FaultyProxy::refuse),
			(site) -> site.networks().forEach(FaultyProxy::repair)),

	CLOSED((site) -> site.networks().forEach(FaultyProxy::cut), (site) -> site.networks().forEach(FaultyProxy::repair)),

	BLACK_HOLE((site) -> site.networks().forEach(FaultyProxy::swallow), (site) -> site.networks().forEach((network) -> {
		network.repair();
		network.hangUp();
	})),

	FAILED_OVER(RedisTopology::failOver, (site) -> {
	}),

	SLOW((site) -> site.networks().forEach((network) -> network.delay(Duration.ofMillis(400))),
			(site) -> site.networks().forEach(FaultyProxy::repair)),

	WRITES_PAUSED((site) -> site.onMasters(CommandType.CLIENT, "PAUSE", "60000", "WRITE"),
			(site) -> site.onMasters(CommandType.CLIENT, "UNPAUSE")),

	OUT_OF_MEMORY((site) -> site.onMasters(CommandType.CONFIG, "SET", "maxmemory", "1"),
			(site) -> site.onMasters(CommandType.CONFIG, "SET", "maxmemory", "0")),

	NO_RIGHTS((site) -> site.onMasters(CommandType.ACL, "SETUSER", "default", "-@write", "-evalsha", "-eval"),
			(site) -> site.onMasters(CommandType.ACL, "SETUSER", "default", "+@all")),

	READ_ONLY(RedisTopology::refuseWrites, RedisTopology::acceptWrites);

	/** Faults with which each topology is tried in any case. */
	static final Set<TopologyFault> COMMON = EnumSet.of(STOPPED, REFUSED, CLOSED, BLACK_HOLE, FAILED_OVER, READ_ONLY);

	final Consumer<RedisTopology> begin;

	final Consumer<RedisTopology> end;

	TopologyFault(Consumer<RedisTopology> begin, Consumer<RedisTopology> end) {
		this.begin = begin;
		this.end = end;
	}

}
