package dev.sluice.annotation;

/**
 * Which half of holding a permit a method does.
 *
 * @since 0.1.0
 */
public enum Mode {

	/** The call holds the permit from its start to its end. */
	ACQUIRE_AND_RELEASE,

	/**
	 * The call takes the permit and leaves it with its owner, unless it fails. A call of
	 * another method, with {@link #RELEASE}, gives it back.
	 */
	ACQUIRE,

	/**
	 * The call takes nothing; when it has ended, however it ended, all that its owner
	 * holds is given back.
	 */
	RELEASE

}
