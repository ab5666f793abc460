package dev.sluice.throttle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** What was decided under guards and is to be done when they are given back, in order. */
final class Effects {

	private @Nullable Waiter first;

	private @Nullable Waiter last;

	private final List<Alarm> started = new ArrayList<>(0);

	private final List<Alarm> cancelled = new ArrayList<>(0);

	private final Deque<Waiter> leaving = new ArrayDeque<>(0);

	private final Deque<Waiter> attempts = new ArrayDeque<>(0);

	/** Ends a claimed call. */
	void settle(Waiter waiter, Object outcome) {
		if (waiter.isJoint() && outcome instanceof Throwable) {
			this.leaving.add(waiter);
		}
		waiter.settle(outcome);
		if (this.last == null) {
			this.first = waiter;
		}
		else {
			this.last.nextOut = waiter;
		}
		this.last = waiter;
	}

	/** Tries to serve a waiter for several rates, now that it is the first of one. */
	void attempt(Waiter waiter) {
		this.attempts.add(waiter);
	}

	void start(Alarm alarm) {
		this.started.add(alarm);
	}

	void cancel(Alarm alarm) {
		this.cancelled.add(alarm);
	}

	void perform(NanoClock clock, Completions completions) {
		Waiter attempt;
		while ((attempt = this.attempts.poll()) != null) {
			Step.serve(attempt, this);
		}
		Waiter leaver;
		while ((leaver = this.leaving.poll()) != null) {
			leaver.leaveAll();
		}
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
