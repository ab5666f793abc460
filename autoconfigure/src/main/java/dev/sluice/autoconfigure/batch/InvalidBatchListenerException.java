package dev.sluice.autoconfigure.batch;

/** Thrown when a batch cannot be listened to as declared, with what to write instead. */
class InvalidBatchListenerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	InvalidBatchListenerException(String problem, String action) {
		super(problem);
		this.action = action;
	}

	String getAction() {
		return this.action;
	}

}
