package dev.sluice.websocket.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.outbound.OutboundResources;
import dev.sluice.websocket.outbound.SendWaits;
import dev.sluice.websocket.settings.WebSocketSettings;

/** All sessions of an application, and what looks after them. */
public final class WebSocketSessions {

	private final SessionRegistry registry;

	private final SessionAdmission admission;

	private final SessionShutdown shutdown;

	private final SessionEvents events;

	private final WebSocketSessionManager manager;

	/**
	 * Creates the sessions.
	 * @param inbound runs the callbacks of handlers
	 * @param outbound starts the sending of messages
	 * @param messages writes what is sent to many
	 */
	public WebSocketSessions(SequentialLeveledTaskExecutor inbound, SequentialLeveledTaskExecutor outbound,
			WebSocketSettings settings, SessionCollaborators collaborators, JsonMessages messages) {
		Set<OrderedWebSocketSession> unended = ConcurrentHashMap.newKeySet();
		MessageTotals totals = MessageTotals.of(settings.totals(), unended);
		OutboundResources sending = new OutboundResources(collaborators.workers(), collaborators.control(),
				collaborators.clock(), settings.limits().sendOverflow(), totals.outbound(),
				new SendWaits(collaborators.waits()), collaborators.observer(), collaborators.recorder());
		this.admission = new SessionAdmission(new SessionQuota(settings.quota()));
		this.registry = new SessionRegistry(inbound, outbound, settings.limits(),
				new SessionResources(sending, totals.inbound(), collaborators.principals()), this.admission,
				new LivenessMonitor(settings.liveness(), settings.limits().send().time(), collaborators.clock(),
						unended),
				unended);
		this.shutdown = new SessionShutdown(this.registry, this.admission, inbound);
		this.events = new SessionEvents(collaborators.events());
		this.manager = new DefaultWebSocketSessionManager(this.registry, messages, totals.outbound());
	}

	/** Returns the registry. */
	public SessionRegistry registry() {
		return this.registry;
	}

	/** Returns what decides which sessions are admitted. */
	public SessionAdmission admission() {
		return this.admission;
	}

	/** Returns what ends all sessions. */
	public SessionShutdown shutdown() {
		return this.shutdown;
	}

	/** Returns what publishes the events of sessions. */
	public SessionEvents events() {
		return this.events;
	}

	/** Returns the view of applications. */
	public WebSocketSessionManager manager() {
		return this.manager;
	}

}
