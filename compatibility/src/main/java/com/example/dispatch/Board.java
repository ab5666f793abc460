package com.example.dispatch;

import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Throttled;
import dev.sluice.websocket.WebSocketSessionManager;

import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Controller;

/** The actions of dispatchers at their board. */
@Controller
class Board {

	private final Calls calls;

	private final WebSocketSessionManager sessions;

	Board(Calls calls, WebSocketSessionManager sessions) {
		this.calls = calls;
		this.sessions = sessions;
	}

	/** Sends a vehicle to a call, and returns whether it received the order. */
	@MessageMapping("/assign/{number}")
	@Throttled(value = "assignments", key = "#principal.name")
	@SendToUser("/queue/assigned")
	CompletableFuture<String> assign(@DestinationVariable int number, String vehicle) {
		return this.calls.assign(number, vehicle)
			.map((call) -> order(vehicle, call))
			.orElseGet(() -> CompletableFuture.completedFuture("taken"));
	}

	private CompletableFuture<String> order(String vehicle, Call call) {
		return this.sessions
			.sendToAll(Vehicle.class, (session) -> session.name().equals(vehicle),
					new Order(call.number(), call.place()))
			.thenApply((reached) -> (reached > 0) ? vehicle + " is on its way" : vehicle + " is not there");
	}

	/** Calls all vehicles back, which is for the chief alone. */
	@MessageMapping("/recall")
	@PreAuthorize("hasRole('CHIEF')")
	@SendToUser("/queue/assigned")
	public String recall() {
		this.sessions.sendToAll(Vehicle.class, (session) -> true, new Recall());
		return "recalled";
	}

	@MessageExceptionHandler
	@SendToUser("/queue/assigned")
	String denied(AccessDeniedException ex) {
		return "denied";
	}

	/**
	 * Where a vehicle has to go.
	 *
	 * @param type the type of the message
	 * @param number the number of the call
	 * @param place where
	 */
	record Order(String type, int number, String place) {

		Order(int number, String place) {
			this("order", number, place);
		}

	}

	/**
	 * Come back.
	 *
	 * @param type the type of the message
	 */
	record Recall(String type) {

		Recall() {
			this("recall");
		}

	}

}
