package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What can happen to a server, or to the network on the way to it. */
enum RedisFault {

	STOPPED((site, time) -> site.server().pause(), (site) -> site.server().goOn()),

	ALL_PAUSED((site, time) -> site.client("PAUSE", time.toMillis() + "", "ALL"), (site) -> {
	}),

	WRITES_PAUSED((site, time) -> site.client("PAUSE", time.toMillis() + "", "WRITE"), (site) -> {
	}),

	REFUSED((site, time) -> site.network().cut(), (site) -> site.network().repair()),

	RESET((site, time) -> site.network().hangUp(), (site) -> {
	}),

	BLACK_HOLE((site, time) -> site.network().swallow(), (site) -> {
		site.network().repair();
		site.network().hangUp();
	}),

	SLOW((site, time) -> site.network().delay(Duration.ofMillis(400)), (site) -> site.network().repair()),

	READ_ONLY((site, time) -> site.redis().replicaof("127.0.0.1", 1), (site) -> site.redis().replicaofNoOne()),

	OUT_OF_MEMORY((site, time) -> site.redis().configSet("maxmemory", "1"),
			(site) -> site.redis().configSet("maxmemory", "0")),

	NO_RIGHTS((site, time) -> site.acl("SETUSER", "default", "-@write", "-evalsha", "-eval"),
			(site) -> site.acl("SETUSER", "default", "+@all")),

	NO_CHANNELS((site, time) -> site.acl("SETUSER", "default", "resetchannels"),
			(site) -> site.acl("SETUSER", "default", "allchannels")),

	SCRIPTS_FLUSHED((site, time) -> site.redis().scriptFlush(), (site) -> {
	}),

	RESTARTED_EMPTY((site, time) -> site.server().kill(), (site) -> site.restart());

	final BiConsumer<RedisFaultSite, Duration> begin;

	final Consumer<RedisFaultSite> end;

	RedisFault(BiConsumer<RedisFaultSite, Duration> begin, Consumer<RedisFaultSite> end) {
		this.begin = begin;
		this.end = end;
	}

}
