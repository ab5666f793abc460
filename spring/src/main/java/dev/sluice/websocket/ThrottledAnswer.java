package dev.sluice.websocket;

import dev.sluice.execution.Level;
import dev.sluice.throttle.ThrottledException;

import org.springframework.util.StringUtils;
import org.springframework.web.socket.CloseStatus;

/**
 * Answers a message whose limits rejected it.
 *
 * @param action what to do
 * @param answers sends the frame
 */
record ThrottledAnswer(OnThrottled action, ErrorAnswers answers) {

	void answer(OrderedWebSocketSession session, ThrottledException rejection) {
		switch (this.action) {
			case FRAME -> {
				if (!StringUtils.hasLength(session.getAcceptedProtocol())) {
					this.answers.answer(session, rejection);
				}
			}
			case CLOSE -> session.outbound().close(CloseStatus.SERVICE_OVERLOAD.withReason("Throttled"), Level.NORMAL);
			case NONE -> {
			}
		}
	}

}
