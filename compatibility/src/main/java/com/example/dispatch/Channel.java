package com.example.dispatch;

import java.util.Objects;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/** The radio channel of a district. */
@WebSocketEndpoint(path = "/channel/{district}", topics = "channel-{district}")
class Channel extends ManagedSession {

	private final SessionCluster cluster;

	Channel(SessionCluster cluster) {
		this.cluster = cluster;
	}

	@OnMessage
	void speak(Words words) {
		String district = Objects.requireNonNull(pathVariables().get("district"));
		this.cluster.topic("channel-" + district).publish(new Spoken(district, words.text()));
	}

	/**
	 * What somebody says.
	 *
	 * @param text the words
	 */
	record Words(String text) {
	}

	/**
	 * What all in a district get.
	 *
	 * @param district the name in the path
	 * @param text the words
	 */
	record Spoken(String district, String text) {
	}

}
