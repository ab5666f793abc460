package dev.sluice.actuate.endpoint;

import java.util.Comparator;
import java.util.List;

import dev.sluice.batch.BatchSnapshot;
import dev.sluice.batch.SlotSnapshot;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Description of one batch, over all its slots, with the deepest slots. */
record BatchDescriptor(boolean running, long waiting, int inFlight, long batches, long completed, long failed,
		long retries, long rejected, long dropped, long callbackFailures,
		List<Slot> deepest) implements OperationResponseBody {

	static BatchDescriptor of(BatchSnapshot batch, int top) {
		List<SlotSnapshot> slots = batch.slots();
		return new BatchDescriptor(batch.running(), batch.waiting(), batch.inFlight(),
				slots.stream().mapToLong(SlotSnapshot::batches).sum(),
				slots.stream().mapToLong(SlotSnapshot::completed).sum(),
				slots.stream().mapToLong(SlotSnapshot::failed).sum(),
				slots.stream().mapToLong(SlotSnapshot::retries).sum(),
				slots.stream().mapToLong(SlotSnapshot::rejected).sum(),
				slots.stream().mapToLong(SlotSnapshot::dropped).sum(), batch.callbackFailures(), deepest(slots, top));
	}

	private static List<Slot> deepest(List<SlotSnapshot> slots, int top) {
		return slots.stream()
			.filter((slot) -> slot.waiting() > 0 || slot.inFlight() > 0)
			.sorted(Comparator.comparingInt(SlotSnapshot::waiting).reversed())
			.limit(top)
			.map((slot) -> new Slot(slot.slot(), slot.waiting(), slot.inFlight()))
			.toList();
	}

	/** Description of one slot. */
	record Slot(int slot, int waiting, int inFlight) {

	}

}
