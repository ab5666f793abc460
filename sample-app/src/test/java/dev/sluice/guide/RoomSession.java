package dev.sluice.guide;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/** The session of {@code docs/cluster.md}. */
@WebSocketEndpoint(path = "/rooms/{room}", topics = "room-{room}")
class RoomSession extends ManagedSession {

	private final SessionCluster cluster;

	RoomSession(SessionCluster cluster) {
		this.cluster = cluster;
	}

	@OnMessage
	void say(Say message) {
		this.cluster.topic("room-" + pathVariables().get("room")).publish(new Said("said", message.text()));
	}

	record Say(String text) {

	}

	record Said(String type, String text) {

	}

}
