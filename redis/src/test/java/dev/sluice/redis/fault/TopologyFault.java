package dev.sluice.redis.fault;

import java.util.function.Consumer;

import dev.sluice.test.trial.FaultyProxy;

/** What can happen to a master that has a replica, or to the network to all servers. */
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
	});

	final Consumer<RedisTopology> begin;

	final Consumer<RedisTopology> end;

	TopologyFault(Consumer<RedisTopology> begin, Consumer<RedisTopology> end) {
		this.begin = begin;
		this.end = end;
	}

}
