package dev.sluice.cluster.internal.presence;

import dev.sluice.bus.Publication;

/** Events that notify members of topics of principals that join or leave. */
public interface PresenceEvents {

	/** Returns the name of a topic on the bus. */
	String nameOf(String topic);

	/** Returns the publication that reports that a principal has joined. */
	Publication joined(String topic, String principal);

	/** Returns the publication that reports that a principal has left. */
	Publication left(String topic, String principal);

}
