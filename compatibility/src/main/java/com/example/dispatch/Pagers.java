package com.example.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Pages every pager; older than the rest of the application. */
@Component
class Pagers extends TextWebSocketHandler {

	private final Set<WebSocketSession> pagers = ConcurrentHashMap.newKeySet();

	private final Alarm alarm;

	Pagers(Alarm alarm) {
		this.alarm = alarm;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		this.pagers.add(session);
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		try {
			TextMessage page = new TextMessage(this.alarm.raise(message.getPayload()));
			for (WebSocketSession pager : this.pagers) {
				pager.sendMessage(page);
			}
		}
		catch (AccessDeniedException ex) {
			session.sendMessage(new TextMessage("denied"));
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		this.pagers.remove(session);
	}

	/** What only dispatchers may do. */
	@Component
	static class Alarm {

		@PreAuthorize("hasRole('DISPATCHER')")
		public String raise(String text) {
			return "Alarm: " + text;
		}

	}

}
