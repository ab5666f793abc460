package com.example.dispatch;

import java.util.Objects;

import dev.sluice.annotation.Throttled;
import dev.sluice.execution.Level;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

import org.springframework.messaging.simp.SimpMessagingTemplate;

/** The connection of a vehicle, which reports its position. */
@WebSocketEndpoint(path = "/vehicle")
class Vehicle extends ManagedSession {

	private final SimpMessagingTemplate board;

	private int moves;

	Vehicle(SimpMessagingTemplate board) {
		this.board = board;
	}

	/** The name under which the vehicle has logged in. */
	String name() {
		return Objects.requireNonNull(principal()).getName();
	}

	@Override
	protected void onOpen() {
		post(new Welcome(name()));
	}

	@OnMessage
	@Throttled(value = "positions", key = "#session.id")
	Moved move(Position position) {
		this.moves++;
		this.board.convertAndSend("/topic/positions", name() + " at " + position.x() + "," + position.y());
		return new Moved(this.moves);
	}

	@OnMessage(value = "emergency", level = Level.HIGH)
	void emergency() {
		this.board.convertAndSend("/topic/emergencies", name());
	}

	/**
	 * Where a vehicle is.
	 *
	 * @param x kilometres to the east
	 * @param y kilometres to the north
	 */
	record Position(int x, int y) {
	}

	/**
	 * Greets a vehicle.
	 *
	 * @param welcome its name
	 */
	record Welcome(String welcome) {
	}

	/**
	 * Acknowledges a position.
	 *
	 * @param moves how many there were
	 */
	record Moved(int moves) {
	}

}
