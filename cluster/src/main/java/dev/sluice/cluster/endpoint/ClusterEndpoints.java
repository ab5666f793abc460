package dev.sluice.cluster.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.resume.ResumeSource;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.endpoint.ConnectedSessions;
import dev.sluice.websocket.endpoint.EndpointExtension;
import dev.sluice.websocket.endpoint.ExtendedEndpoint;
import dev.sluice.websocket.endpoint.SessionLifecycle;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints whose sessions join the topics of a cluster, and resume.
 */
public final class ClusterEndpoints implements EndpointExtension {

	private final Supplier<@Nullable SessionCluster> cluster;

	private final Map<ResumableEndpoint, Class<?>> resumables = new LinkedHashMap<>();

	private final List<EndpointTopics> topics = new ArrayList<>();

	/**
	 * Creates the extension.
	 * @param cluster supplies the cluster, or {@code null} if the application has none.
	 * It is called only if an endpoint has topics or is resumable
	 */
	public ClusterEndpoints(Supplier<@Nullable SessionCluster> cluster) {
		this.cluster = cluster;
	}

	@Override
	public SessionLifecycle extend(ExtendedEndpoint endpoint) {
		EndpointTopics joined = EndpointTopics.of(endpoint.type(), endpoint.topics(), endpoint.paths());
		if (!joined.isEmpty()) {
			this.topics.add(joined);
		}
		if (!endpoint.resumable()) {
			return new JoiningSessions(new ConnectedSessions(endpoint.objects(), endpoint.context().messages()),
					joined);
		}
		ResumableEndpoint resumable = new ResumableEndpoint(endpoint.name(), endpoint.context(), joined,
				endpoint.objects());
		this.resumables.put(resumable, endpoint.type());
		return resumable;
	}

	@Override
	public void start() {
		this.topics.forEach((joined) -> joined.start(this.cluster.get()));
		this.resumables.forEach(this::start);
	}

	private void start(ResumableEndpoint endpoint, Class<?> type) {
		SessionCluster present = this.cluster.get();
		if (!(present instanceof ResumeSource source)) {
			throw new InvalidEndpointException(type, "It is resumable, and there is no SessionCluster of Sluice",
					"Remove 'sluice.cluster.enabled' or the application's own SessionCluster, or remove 'resumable'.");
		}
		if (!source.resumes().isSupported()) {
			throw new InvalidEndpointException(type,
					"It is resumable, and the bus " + source.busType().getName() + " offers no records of sessions",
					"Implement ClusterBus.records() in it, or remove 'resumable'.");
		}
		endpoint.start(source.resumes(), present.maxTopicsPerSession(), present::idOf);
	}

}
