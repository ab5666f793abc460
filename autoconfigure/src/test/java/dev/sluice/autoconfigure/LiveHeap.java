package dev.sluice.autoconfigure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * The part of the heap that objects in use take up, without what busy threads have
 * allocated since.
 */
final class LiveHeap {

	private LiveHeap() {
	}

	/** Collects garbage and returns the bytes that the collection has left. */
	static long bytes() {
		System.gc();
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.map(MemoryPoolMXBean::getCollectionUsage)
			.mapToLong(MemoryUsage::getUsed)
			.sum();
	}

}
