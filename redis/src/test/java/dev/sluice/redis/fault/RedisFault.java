package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What can happen to a server, or to the network on the way to it. */
enum RedisFault {

	STOPPED(Causes.UNANSWERED, (site, time) -> site.server().pause(), (site) -> site.server().goOn()),

	ALL_PAUSED(Causes.UNANSWERED, (site, time) -> site.pause(time, "ALL"), (site) -> {
	}),

	WRITES_PAUSED(Causes.UNANSWERED, (site, time) -> site.pause(time, "WRITE"), (site) -> {
	}),

	REFUSED(Causes.CONNECTION, (site, time) -> site.network().refuse(), (site) -> site.network().repair()),

	CLOSED(Causes.CONNECTION, (site, time) -> site.network().cut(), (site) -> site.network().repair()),

	RESET(Causes.CONNECTION, (site, time) -> site.network().reset(), (site) -> {
	}),

	BLACK_HOLE(Causes.UNANSWERED + "|" + Causes.CONNECTION, (site, time) -> site.network().swallow(), (site) -> {
		site.network().repair();
		site.network().hangUp();
	}),

	SLOW(Causes.UNANSWERED, (site, time) -> site.network().delay(Duration.ofMillis(400)),
			(site) -> site.network().repair()),

	FAR(Causes.NONE, (site, time) -> site.network().distance(Duration.ofMillis(50)), (site) -> site.network().repair()),

	READ_ONLY("READONLY", (site, time) -> site.redis().replicaof("127.0.0.1", 1),
			(site) -> site.redis().replicaofNoOne()),

	OUT_OF_MEMORY("OOM", (site, time) -> site.redis().configSet("maxmemory", "1"),
			(site) -> site.redis().configSet("maxmemory", "0")),

	NO_RIGHTS("lacks a right", (site, time) -> site.acl("SETUSER", "default", "-@write", "-evalsha", "-eval"),
			(site) -> site.acl("SETUSER", "default", "+@all")),

	NO_CHANNELS("lacks a right", (site, time) -> site.acl("SETUSER", "default", "resetchannels"),
			(site) -> site.acl("SETUSER", "default", "allchannels")),

	SCRIPTS_FLUSHED(Causes.NONE, (site, time) -> site.redis().scriptFlush(), (site) -> {
	}),

	FAILED_OVER(Causes.CONNECTION, (site, time) -> site.killMaster(), RedisFaultSite::promoteReplica),

	RESTARTED_EMPTY(Causes.CONNECTION, (site, time) -> site.server().kill(), RedisFaultSite::restart);

	/** What the log names as the cause. */
	final Pattern cause;

	final BiConsumer<RedisFaultSite, Duration> begin;

	final Consumer<RedisFaultSite> end;

	RedisFault(String cause, BiConsumer<RedisFaultSite, Duration> begin, Consumer<RedisFaultSite> end) {
		this.cause = Pattern.compile(cause);
		this.begin = begin;
		this.end = end;
	}

	/** Returns whether all connections work, and errors are answered on them. */
	boolean keepsConnections() {
		return this == OUT_OF_MEMORY || this == NO_RIGHTS;
	}

	/** Returns whether the server loses what nodes hold. */
	boolean forgets() {
		return this == RESTARTED_EMPTY;
	}

	/** Causes of several faults. */
	private static final class Causes {

		private static final String UNANSWERED = "did not answer|timed out|Unable to connect";

		private static final String CONNECTION = "Connection|connect|Broken pipe";

		/** Nothing fails, so nothing is logged. */
		private static final String NONE = "^$";

	}

}
