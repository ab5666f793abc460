package dev.sluice.benchmarks;

/** One client of a store, as an application would have one. */
public interface Node extends AutoCloseable {

	/**
	 * Takes a permit of the one key.
	 * @return whether there was one
	 */
	boolean tryAcquire();

	@Override
	void close();

}
