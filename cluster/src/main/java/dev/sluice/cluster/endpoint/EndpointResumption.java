package dev.sluice.cluster.endpoint;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.NodeJson;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Outcome of a resume, for the new object of the session.
 *
 * @param recovered whether no message is missing, by topics
 * @param direct whether no direct message is missing
 * @param missed number of missed messages of topics
 * @param json the saved state, or {@code null}
 * @param mapper reads the state
 */
record EndpointResumption(Map<String, Boolean> recovered, boolean direct, int missed, @Nullable String json,
		JsonMapper mapper) implements ManagedSession.Resumption {

	private static final BoundedLog UNREADABLE = new BoundedLog(LogFactory.getLog(EndpointResumption.class),
			NanoClock.system(), "The saved state of a session cannot be read as its type and is ignored");

	@Override
	public Set<String> topics() {
		return this.recovered.keySet();
	}

	@Override
	public boolean recovered(String topic) {
		return this.recovered.getOrDefault(Objects.requireNonNull(topic, "'topic' must not be null"), false);
	}

	@Override
	public <T> @Nullable T state(Class<T> type) {
		Objects.requireNonNull(type, "'type' must not be null");
		if (this.json == null) {
			return null;
		}
		try {
			return NodeJson.bind(this.json, this.mapper, type);
		}
		catch (JacksonException ex) { // an exception would end each connection of the
										// session
			UNREADABLE.warn(type.getName(), ex);
			return null;
		}
	}

}
