package dev.sluice.autoconfigure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * The part of the heap that objects in use take up, without what busy threads have
 * allocated since.
 */
final class LiveHeap {

	private LiveHeap() {
	}

	/** Collects garbage and returns the bytes that the collection has left. */
	static long bytes() {
		collect();
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == MemoryType.HEAP)
			.map(MemoryPoolMXBean::getCollectionUsage)
			.mapToLong(MemoryUsage::getUsed)
			.sum();
	}

	/** The request is ignored while a thread keeps objects from being moved. */
	private static void collect() {
		List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
		GarbageCollectorMXBean full = collectors.get(collectors.size() - 1);
		long before = full.getCollectionCount();
		do {
			System.gc();
		}
		while (full.getCollectionCount() == before);
	}

}
