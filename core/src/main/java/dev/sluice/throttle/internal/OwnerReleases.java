package dev.sluice.throttle.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Releases by owner of one limit. The first one that finds no permits is logged, unless
 * one before has found some: then the names of the application match, and the permits may
 * have been released before, or their lease has expired.
 */
public final class OwnerReleases {

	/*
	 * "settled" is only ever set, so that at most one line is logged. Attacked by
	 * OwnerReleasesTests.
	 */

	private static final System.Logger logger = System.getLogger(OwnerReleases.class.getName());

	private final AtomicBoolean settled = new AtomicBoolean();

	/** Records whether a release of a limit has found permits. */
	public void record(String resource, boolean found) {
		if (!this.settled.get() && !this.settled.getAndSet(true) && !found) {
			logger.log(System.Logger.Level.WARNING, "A release of limit '" + resource
					+ "' found no permits of its owner. Release with the limit, key and owner of the acquisition");
		}
	}

}
