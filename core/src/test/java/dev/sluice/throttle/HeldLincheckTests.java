package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.TestVolume;
import dev.sluice.throttle.internal.memory.Backoff;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

/**
 * Explores the interleavings of owners that enter a semaphore, alone or together with a
 * mutex and a rate, and leave, and compares with calls one after another.
 */
@Tag("full")
public class HeldLincheckTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(() -> 0).build();

	private final Throttle semaphore = this.manager.addOrUpdate("semaphore", Limit.semaphore(2));

	private final Throttle mutex = this.manager.addOrUpdate("mutex", Limit.mutex());

	private final Throttle rate = this.manager.addOrUpdate("rate", Limit.fixedWindow(3, Duration.ofDays(1)));

	@Operation
	public boolean enter(@Param(gen = IntGen.class, conf = "1:3") int owner) {
		return this.manager.tryAcquire(AcquireRequest.of("semaphore").owner("o" + owner)).admitted();
	}

	@Operation
	public boolean enterAll(@Param(gen = IntGen.class, conf = "1:3") int owner) {
		return this.manager
			.tryAcquire(AcquireRequest.of("rate"), AcquireRequest.of("mutex").owner("o" + owner),
					AcquireRequest.of("semaphore").owner("o" + owner))
			.admitted();
	}

	@Operation
	public boolean leave(@Param(gen = IntGen.class, conf = "1:3") int owner) {
		return this.semaphore.release("", "o" + owner);
	}

	@Operation
	public boolean leaveMutex(@Param(gen = IntGen.class, conf = "1:3") int owner) {
		return this.mutex.release("", "o" + owner);
	}

	@Operation
	public boolean spend() {
		return this.rate.tryAcquireNanos("", 1) == 0;
	}

	@Test
	void concurrentCallsAreEquivalentToSomeSequence() {
		new ModelCheckingOptions().iterations(TestVolume.of(20))
			.invocationsPerIteration(40)
			.threads(2)
			.actorsPerThread(3)
			.addGuarantee(forClasses(Backoff.class.getName()).allMethods().ignore())
			.check(HeldLincheckTests.class);
	}

}
