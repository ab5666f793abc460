package dev.sluice.throttle.internal.concurrency;

import java.security.SecureRandom;
import java.util.SplittableRandom;

/**
 * Names for owners that were given none, by which operators may release them, and which
 * no client can guess.
 */
final class OwnerNames {

	private final long secret = new SecureRandom().nextLong();

	/** Returns the name of the owner of the permits with a token. */
	String of(long token) {
		return "call-" + token + "-" + Long.toHexString(new SplittableRandom(this.secret ^ token).nextLong());
	}

}
