package dev.sluice.actuate.endpoint;

/** Visibility of the ids of queues, keys and owners. */
enum NameVisibility {

	SHOWN, HIDDEN;

	static NameVisibility shown(boolean shown) {
		return shown ? SHOWN : HIDDEN;
	}

	String of(String name) {
		return (this == SHOWN) ? name : "******";
	}

}
