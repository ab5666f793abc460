package dev.sluice.autoconfigure.throttle;

/** Tells that limits are to be kept in a store that is not there. */
class MissingStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	MissingStoreException(String message) {
		super(message);
	}

}
