package dev.sluice.benchmarks.cluster;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import org.jspecify.annotations.Nullable;

/** Listens to nothing. */
final class NoListener implements BusListener {

	@Override
	public void received(String frame) {
	}

	@Override
	public void published(String name, TopicEntry entry, @Nullable Position before) {
	}

	@Override
	public void interrupted() {
	}

}
