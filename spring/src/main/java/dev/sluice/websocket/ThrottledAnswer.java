package dev.sluice.websocket;

import dev.sluice.execution.Level;
import dev.sluice.throttle.ThrottledException;

import org.springframework.util.StringUtils;
import org.springframework.web.socket.CloseStatus;

/**
 * Answers a message whose limits rejected it.
 *
 * @param action what to do
 * @param messages writes the frame
 */
record ThrottledAnswer(OnThrottled action, JsonMessages messages) {

	void answer(OrderedWebSocketSession session, ThrottledException rejection) {
		switch (this.action) {
			case FRAME -> {
				if (!StringUtils.hasLength(session.getAcceptedProtocol())) {
					session.outbound().send(this.messages.throttled(rejection), Level.NORMAL);
				}
			}
			case CLOSE -> session.outbound().close(CloseStatus.SERVICE_OVERLOAD.withReason("Throttled"), Level.NORMAL);
			case NONE -> {
			}
		}
	}

}
