package dev.sluice.autoconfigure.annotation;

import dev.sluice.throttle.store.ThrottleStore;
import org.jspecify.annotations.Nullable;

/** {@link ThrowingMethodsContract} with limits in memory. */
class MemoryThrowingMethodsTests extends ThrowingMethodsContract {

	@Override
	@Nullable ThrottleStore store() {
		return null;
	}

	@Override
	int step() {
		return 3;
	}

}
