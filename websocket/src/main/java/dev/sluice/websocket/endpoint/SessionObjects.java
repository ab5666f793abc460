package dev.sluice.websocket.endpoint;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionConnection;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.web.socket.CloseStatus;

/** The objects of the sessions of one endpoint: beans, one for each connection. */
public final class SessionObjects {

	private final ConfigurableBeanFactory beanFactory;

	private final String beanName;

	public SessionObjects(ConfigurableBeanFactory beanFactory, String beanName) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
	}

	public ManagedSession make() {
		return (ManagedSession) this.beanFactory.getBean(this.beanName);
	}

	/** The object itself, which has the connection, without any proxy. */
	public static ManagedSession target(ManagedSession session) {
		Object target = AopProxyUtils.getSingletonTarget(session);
		return (target != null) ? (ManagedSession) target : session;
	}

	public void opened(ManagedSession session) throws Exception {
		SessionConnection.opened(session);
	}

	public void resumed(ManagedSession session, ManagedSession.Resumption resumption) throws Exception {
		SessionConnection.resumed(session, resumption);
	}

	public void suspended(ManagedSession session) throws Exception {
		SessionConnection.suspended(session);
	}

	public void expired(ManagedSession session) throws Exception {
		SessionConnection.expired(session);
	}

	public void closed(ManagedSession session, CloseStatus status) throws Exception {
		SessionConnection.closed(session, status);
	}

	public void destroy(ManagedSession session) {
		this.beanFactory.destroyBean(this.beanName, target(session));
	}

}
