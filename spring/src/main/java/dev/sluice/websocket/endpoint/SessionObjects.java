package dev.sluice.websocket.endpoint;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.cluster.SessionCluster;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.web.socket.CloseStatus;

/** The objects of the sessions of one endpoint: beans, one for each connection. */
final class SessionObjects {

	private final ConfigurableBeanFactory beanFactory;

	private final String beanName;

	private volatile @Nullable SessionCluster cluster;

	SessionObjects(ConfigurableBeanFactory beanFactory, String beanName) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
	}

	void start(SessionCluster present) {
		this.cluster = present;
	}

	ManagedSession make() {
		return (ManagedSession) this.beanFactory.getBean(this.beanName);
	}

	/** The object itself, which has the connection, without any proxy. */
	static ManagedSession target(ManagedSession session) {
		Object target = AopProxyUtils.getSingletonTarget(session);
		return (target != null) ? (ManagedSession) target : session;
	}

	/** Returns the id by which other nodes address a session. */
	String idOf(ManagedSession session) {
		SessionCluster present = this.cluster;
		return (present != null) ? present.idOf(session) : session.id();
	}

	void opened(ManagedSession session) throws Exception {
		SessionConnection.opened(session);
	}

	void resumed(ManagedSession session, ManagedSession.Resumption resumption) throws Exception {
		SessionConnection.resumed(session, resumption);
	}

	void suspended(ManagedSession session) throws Exception {
		SessionConnection.suspended(session);
	}

	void expired(ManagedSession session) throws Exception {
		SessionConnection.expired(session);
	}

	void closed(ManagedSession session, CloseStatus status) throws Exception {
		SessionConnection.closed(session, status);
	}

	void destroy(ManagedSession session) {
		this.beanFactory.destroyBean(this.beanName, target(session));
	}

}
