package dev.sluice.benchmarks.limits;

/** Which way every call goes. */
public enum Path {

	/** The limit is never reached. */
	ADMITTED,

	/** The limit was reached before, for an hour to come. */
	REJECTED

}
