package dev.sluice.benchmarks.redis;

import java.util.function.IntFunction;

import dev.sluice.benchmarks.Node;

/** The contenders: a limit of ten million a second, which is never reached. */
public enum Contender {

	/** Sluice: a token bucket. */
	SLUICE("Sluice", (port) -> new SluiceNode(port, 1)),

	/** The same, which takes a hundred permits at a time. */
	SLUICE_BATCHES("Sluice, batch of 100", (port) -> new SluiceNode(port, 100)),

	/** Redisson's RRateLimiter. */
	REDISSON("Redisson", RedissonNode::new),

	/** Bucket4j over Lettuce: one compare-and-set a call. */
	BUCKET4J("Bucket4j", (port) -> new Bucket4jNode(port, false)),

	/** The same, which puts calls that meet into one. */
	BUCKET4J_BATCHING("Bucket4j batching", (port) -> new Bucket4jNode(port, true)),

	/** The floor: a command that does nothing, over Lettuce. */
	PING("PING", PingNode::new);

	static final int LIMIT = 10_000_000;

	final String title;

	private final IntFunction<Node> factory;

	Contender(String title, IntFunction<Node> factory) {
		this.title = title;
		this.factory = factory;
	}

	Node connect(int port) {
		return this.factory.apply(port);
	}

}
