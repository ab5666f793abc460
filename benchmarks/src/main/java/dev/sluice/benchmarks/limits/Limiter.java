package dev.sluice.benchmarks.limits;

/** A contender; where there is one limit only, the key is ignored. */
interface Limiter {

	/** Whether a permit was taken. */
	boolean tryAcquire(String key);

}
