package dev.sluice.websocket.message;

/** Thrown when a text has no encoding because of an unpaired surrogate. */
public final class UnencodableTextException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnencodableTextException(int index) {
		super("Text has an unpaired surrogate at index " + index);
	}

}
