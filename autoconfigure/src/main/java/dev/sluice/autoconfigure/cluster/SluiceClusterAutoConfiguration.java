package dev.sluice.autoconfigure.cluster;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.internal.ClusterSettings;
import dev.sluice.cluster.internal.DefaultSessionCluster;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.observation.DefaultObservers;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.session.DaemonExecutor;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration of the sessions of all nodes. The bus in memory, which is limited to
 * this node, backs off if the application defines a {@link ClusterBus} or uses the one
 * over Redis. Nothing is created before a bean requests the {@link SessionCluster}. The
 * exception is a node over Redis, which starts with the application so that other nodes
 * find its sessions.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnClass({ WebSocketHandler.class, SessionCluster.class })
@ConditionalOnBean(WebSocketDispatcher.class)
@ConditionalOnSwitch("sluice.cluster.enabled")
@EnableConfigurationProperties(SluiceClusterProperties.class)
public final class SluiceClusterAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ClusterBus sluiceClusterBus(SluiceClusterProperties properties) {
		if (properties.type() == SluiceClusterProperties.Type.REDIS) {
			throw new InvalidConfigurationException(
					"Nodes are to be connected over Redis by 'sluice.cluster.type', and there is no bus over Redis: "
							+ "a library is missing, or a connection to Redis by Lettuce.",
					"Add the dependencies 'dev.sluice:sluice-redis' and "
							+ "'org.springframework.boot:spring-boot-starter-data-redis' (with Lettuce, which it brings), or "
							+ "define a ClusterBus bean, or remove the property 'sluice.cluster.type'.");
		}
		return new MemoryBus().connect();
	}

	/** Requests of other nodes never wait behind handlers. */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	SessionCluster sluiceSessionCluster(ClusterBus bus, WebSocketDispatcher dispatcher,
			ObjectProvider<ClusterObserver> observer, SluiceClusterProperties properties, ListableBeanFactory beans) {
		PresenceSettings presence = presence(properties);
		if (presence.isEnabled() && bus.presence() == null) {
			throw new InvalidConfigurationException(
					"Topics have presence by 'sluice.cluster.presence.topics' or 'sluice.cluster.topics', and the bus "
							+ ClassUtils.getUserClass(bus).getName() + " offers no registry of presence.",
					"Implement ClusterBus.presence() in it, or remove the presence from these properties.");
		}
		return new DefaultSessionCluster(bus, dispatcher, DaemonExecutor.forControl(), NanoClock.system(),
				new ClusterSettings(properties.timeout(), histories(properties), properties.maxTopicsPerSession(),
						presence, resume(properties.resume()),
						properties.failurePolicy() == SluiceClusterProperties.FailurePolicy.LOCAL),
				observer.getIfAvailable(() -> DefaultObservers.ofNodes(beans)));
	}

	private static ByTopic<HistoryLimits> histories(SluiceClusterProperties properties) {
		SluiceClusterProperties.History all = properties.history();
		Map<String, HistoryLimits> byPattern = new LinkedHashMap<>();
		properties.topics().forEach((pattern, options) -> {
			Integer size = options.history().size();
			Duration time = options.history().time();
			byPattern.put(pattern, new HistoryLimits((size != null) ? size : all.size(),
					(time != null) ? time : all.time(), options.waitReplicas()));
		});
		return new ByTopic<>(new HistoryLimits(all.size(), all.time()), byPattern);
	}

	private static PresenceSettings presence(SluiceClusterProperties properties) {
		SluiceClusterProperties.Presence all = properties.presence();
		Map<String, Boolean> byPattern = new LinkedHashMap<>();
		all.topics().forEach((pattern) -> byPattern.put(pattern, true));
		properties.topics().forEach((pattern, options) -> {
			if (options.presence() != null) {
				byPattern.put(pattern, options.presence());
			}
		});
		return new PresenceSettings(new ByTopic<>(false, byPattern), all.leaveDelay(), all.maxMembers());
	}

	private static ResumeSettings resume(SluiceClusterProperties.Resume resume) {
		DataSize total = resume.totalBuffer();
		return new ResumeSettings(resume.window(), Math.toIntExact(resume.buffer().toBytes()), resume.maxSuspended(),
				(total != null) ? total.toBytes() : ResumeSettings.DEFAULTS.totalBuffer(),
				resume.outbox() == SluiceClusterProperties.Outbox.REDIS);
	}

	@Bean
	@ConditionalOnProperty(name = "sluice.cluster.type", havingValue = "redis")
	SmartInitializingSingleton sluiceClusterStart(ObjectProvider<SessionCluster> cluster) {
		return cluster::getIfAvailable;
	}

}
