package dev.sluice.sample;

import dev.sluice.annotation.Throttled;
import dev.sluice.execution.Level;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/**
 * A table of the restaurant. Its dishes are cooked one after the other, except that an
 * order of the boss comes next; the orders of one table do not delay another.
 */
@WebSocketEndpoint(path = "/table")
class TableSession extends ManagedSession {

	@OnMessage("order")
	@Throttled(value = "orders", key = "#session.id")
	Dish order(Order order) {
		return cook(order, false);
	}

	@OnMessage(value = "boss", level = Level.HIGH)
	Dish boss(Order order) {
		return cook(order, true);
	}

	private static Dish cook(Order order, boolean boss) {
		Work.take(20, 20);
		return new Dish("dish", order.number(), boss);
	}

	/** Order of a guest; the table numbers its orders. */
	record Order(int number) {
	}

	/** Dish of the kitchen. */
	record Dish(String type, int number, boolean boss) {
	}

}
