package dev.sluice.websocket.endpoint;

import java.util.Map;
import java.util.Set;

import dev.sluice.websocket.ManagedSession;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Outcome of a resume, for the object that stands for the session from now on.
 *
 * @param recovered whether nothing is missing, by topics
 * @param direct whether no direct message is missing
 * @param missed how many messages of topics were missed
 * @param json the saved state, or {@code null}
 * @param mapper reads the state
 */
record EndpointResumption(Map<String, Boolean> recovered, boolean direct, int missed, @Nullable String json,
		JsonMapper mapper) implements ManagedSession.Resumption {

	@Override
	public Set<String> topics() {
		return this.recovered.keySet();
	}

	@Override
	public boolean recovered(String topic) {
		return this.recovered.getOrDefault(topic, false);
	}

	@Override
	public <T> @Nullable T state(Class<T> type) {
		return (this.json != null) ? this.mapper.readValue(this.json, type) : null;
	}

}
