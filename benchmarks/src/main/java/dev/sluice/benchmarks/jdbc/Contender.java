package dev.sluice.benchmarks.jdbc;

import java.util.function.Function;

import dev.sluice.benchmarks.Node;

/** The contenders: a limit of ten million a second, which is never reached. */
public enum Contender {

	/** Sluice: a token bucket. */
	SLUICE("Sluice", SluiceNode::new),

	/** Bucket4j, which locks the row by SELECT FOR UPDATE. */
	BUCKET4J_ROW("Bucket4j row lock", (server) -> new Bucket4jNode(server, false)),

	/** Bucket4j, which takes an advisory lock. */
	BUCKET4J_ADVISORY("Bucket4j advisory lock", (server) -> new Bucket4jNode(server, true)),

	/** The floor: a statement that reads nothing. */
	SELECT("SELECT 1", SelectNode::new);

	static final int LIMIT = 10_000_000;

	final String title;

	private final Function<Server, Node> factory;

	Contender(String title, Function<Server, Node> factory) {
		this.title = title;
		this.factory = factory;
	}

	Node connect(Server server) {
		return this.factory.apply(server);
	}

}
