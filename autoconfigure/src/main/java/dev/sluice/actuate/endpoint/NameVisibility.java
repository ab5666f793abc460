package dev.sluice.actuate.endpoint;

/** Whether the ids of queues, keys and owners are shown, or hidden. */
enum NameVisibility {

	SHOWN, HIDDEN;

	static NameVisibility shown(boolean shown) {
		return shown ? SHOWN : HIDDEN;
	}

	String of(String name) {
		return (this == SHOWN) ? name : "******";
	}

}
