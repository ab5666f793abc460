package dev.sluice.sample;

import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Throttled;
import dev.sluice.cluster.NodeInfo;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;

/**
 * A view of the kitchen's board. There is one board for any number of nodes: all sessions
 * receive the lines of each session, in one order, including lines written while they
 * were disconnected.
 */
@WebSocketEndpoint(path = "/board", topics = BoardSession.TOPIC, resumable = true)
@RegisterReflectionForBinding({ BoardSession.Welcome.class, BoardSession.Line.class })
class BoardSession extends ManagedSession {

	static final String TOPIC = "board";

	private final SessionCluster cluster;

	private final String node;

	BoardSession(SessionCluster cluster) {
		this.cluster = cluster;
		this.node = cluster.nodes().stream().filter(NodeInfo::local).map(NodeInfo::name).findAny().orElseThrow();
	}

	@Override
	protected void onOpen() {
		post(new Welcome("welcome", this.node));
	}

	@Override
	protected void onResume(Resumption resumption) {
		onOpen();
	}

	/** Ends when the board has the line; if it fails, the client is notified. */
	@OnMessage
	@Throttled(value = "notes", key = "#session.id")
	CompletableFuture<Void> write(Note note) {
		return this.cluster.topic(TOPIC).publish(new Line("line", this.node, note.text())).thenRun(() -> {
		});
	}

	/** Something to be written on the board, of 1 to 80 characters. */
	record Note(String text) {

		Note {
			if (text == null || text.isBlank() || text.length() > 80) {
				throw new IllegalArgumentException("'text' must have 1 to 80 characters");
			}
		}

	}

	/** First of all, whenever it connects: the node that the client is connected to. */
	record Welcome(String type, String node) {
	}

	/** A line of the board, and the node where it was written. */
	record Line(String type, String node, String text) {
	}

}
