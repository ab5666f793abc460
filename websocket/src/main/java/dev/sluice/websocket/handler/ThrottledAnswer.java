package dev.sluice.websocket.handler;

import dev.sluice.execution.Level;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnThrottled;
import dev.sluice.websocket.session.HandlerSession;
import dev.sluice.websocket.session.OrderedWebSocketSession;

import org.springframework.util.StringUtils;

/**
 * Answer to a message whose limits rejected it. The client of a raw handler with a
 * sub-protocol receives no frame, because the sub-protocol defines which frames its
 * client can read. A typed session defines its own messages, with any sub-protocol.
 *
 * @param action what to do
 * @param answers sends the frame
 */
public record ThrottledAnswer(OnThrottled action, ErrorAnswers answers) {

	public void answer(OrderedWebSocketSession session, ThrottledException rejection) {
		switch (this.action) {
			case FRAME -> {
				if (isTyped(session) || !StringUtils.hasLength(session.getAcceptedProtocol())) {
					this.answers.answer(session, rejection);
				}
			}
			case CLOSE -> session.outbound().close(CloseStatuses.THROTTLED, Level.NORMAL);
			case NONE -> {
			}
		}
	}

	private static boolean isTyped(OrderedWebSocketSession session) {
		ManagedSession managed = session.managed();
		return managed != null && !(managed instanceof HandlerSession);
	}

}
