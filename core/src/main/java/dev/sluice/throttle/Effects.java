package dev.sluice.throttle;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** What was decided under guards and is to be done when they are given back, in order. */
final class Effects {

	private @Nullable Waiter first;

	private @Nullable Waiter last;

	private final List<Alarm> started = new ArrayList<>(0);

	private final List<Alarm> cancelled = new ArrayList<>(0);

	/** Ends a claimed call. */
	void settle(Waiter waiter, Object outcome) {
		waiter.settle(outcome);
		if (this.last == null) {
			this.first = waiter;
		}
		else {
			this.last.nextOut = waiter;
		}
		this.last = waiter;
	}

	void start(Alarm alarm) {
		this.started.add(alarm);
	}

	void cancel(Alarm alarm) {
		this.cancelled.add(alarm);
	}

	void perform(NanoClock clock, Completions completions) {
		this.cancelled.forEach(Alarm::cancel);
		this.started.forEach((alarm) -> alarm.start(clock));
		Waiter waiter = this.first;
		while (waiter != null) {
			Waiter next = waiter.nextOut;
			completions.execute(waiter);
			waiter = next;
		}
	}

}
