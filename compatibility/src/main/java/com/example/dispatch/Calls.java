package com.example.dispatch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;

import org.springframework.stereotype.Service;

/** The open calls, and which vehicle each has. */
@Service
class Calls {

	private final AtomicInteger numbers = new AtomicInteger();

	private final Map<Integer, Call> open = new ConcurrentHashMap<>();

	private final Map<Integer, String> assigned = new ConcurrentHashMap<>();

	Call open(String place) {
		Call call = new Call(this.numbers.incrementAndGet(), place);
		this.open.put(call.number(), call);
		return call;
	}

	/**
	 * Gives a call to a vehicle, unless another has it: two dispatchers never both do.
	 */
	@Mutex(value = "call", key = "#number")
	@WhenThrottled(action = Action.WAIT, maxWait = "5s")
	public Optional<Call> assign(int number, String vehicle) {
		Call call = this.open.get(number);
		if (call == null || this.assigned.containsKey(number)) {
			return Optional.empty();
		}
		this.assigned.put(number, vehicle);
		return Optional.of(call);
	}

}
