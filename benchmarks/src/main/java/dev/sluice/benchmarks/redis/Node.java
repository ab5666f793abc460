package dev.sluice.benchmarks.redis;

/** One client of Redis, as an application would have one. */
interface Node extends AutoCloseable {

	/** Takes a permit of the one key, or tells that there is none. */
	boolean tryAcquire();

	@Override
	void close();

}
