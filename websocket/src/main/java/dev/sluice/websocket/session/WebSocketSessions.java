package dev.sluice.websocket.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.outbound.CutOffLog;
import dev.sluice.websocket.outbound.OutboundResources;
import dev.sluice.websocket.outbound.SendWaits;
import dev.sluice.websocket.settings.WebSocketSettings;

/**
 * All sessions of an application, and their management.
 *
 * @param registry the sessions that are open
 * @param admission decides which sessions are admitted
 * @param shutdown ends all sessions
 * @param events publishes the events of sessions
 * @param sends sends to many sessions
 * @param manager the view of applications
 */
public record WebSocketSessions(SessionRegistry registry, SessionAdmission admission, SessionShutdown shutdown,
		SessionEvents events, SharedSends sends, WebSocketSessionManager manager) {

	/**
	 * Creates the sessions.
	 * @param inbound runs the callbacks of handlers
	 * @param outbound starts the sending of messages
	 * @param messages writes messages to many sessions
	 */
	public static WebSocketSessions create(SequentialLeveledTaskExecutor inbound,
			SequentialLeveledTaskExecutor outbound, WebSocketSettings settings, SessionCollaborators collaborators,
			JsonMessages messages) {
		Set<OrderedWebSocketSession> unended = ConcurrentHashMap.newKeySet();
		MessageTotals totals = MessageTotals.of(settings.totals(), unended);
		OutboundResources sending = new OutboundResources(collaborators.workers(), collaborators.control(),
				collaborators.clock(), settings.limits().sendOverflow(), totals.outbound(),
				new SendWaits(collaborators.waits()), collaborators.readers(), collaborators.observer(),
				new CutOffLog(collaborators.clock()), collaborators.recorder());
		SessionAdmission admission = new SessionAdmission(new SessionQuota(settings.quota()),
				settings.quota().handshakeRate(), collaborators.clock());
		SessionRegistry registry = new SessionRegistry(inbound, outbound, settings.limits(),
				new SessionResources(sending, totals.inbound(), collaborators.principals()), admission,
				new LivenessMonitor(settings.liveness(), settings.limits().send().time(), collaborators.clock(),
						unended),
				unended);
		SharedSends sends = new SharedSends(totals.outbound());
		return new WebSocketSessions(registry, admission, new SessionShutdown(registry, admission, inbound),
				SessionEvents.of(collaborators.events()), sends,
				new DefaultWebSocketSessionManager(registry, messages, sends));
	}

}
