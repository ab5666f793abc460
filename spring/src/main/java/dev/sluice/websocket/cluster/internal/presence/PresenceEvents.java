package dev.sluice.websocket.cluster.internal.presence;

import dev.sluice.cluster.Publication;

/** Events for members of topics about those who come and go. */
public interface PresenceEvents {

	/** Returns what a topic is called on the bus. */
	String nameOf(String topic);

	/** Returns what tells that a principal has joined. */
	Publication joined(String topic, String principal);

	/** Returns what tells that a principal has left. */
	Publication left(String topic, String principal);

}
