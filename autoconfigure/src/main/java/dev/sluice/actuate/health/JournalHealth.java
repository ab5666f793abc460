package dev.sluice.actuate.health;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.websocket.journal.SentMessageRecorder;

import org.springframework.boot.health.contributor.Health;

/**
 * Details of the health about the journal of sent messages. No session waits for the
 * journal.
 */
record JournalHealth(SentMessageRecorder recorder) implements HealthDetails {

	@Override
	public void addTo(Health.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("waiting", this.recorder.snapshot().waiting());
		details.put("consecutiveFailures", this.recorder.consecutiveFailures());
		builder.withDetail("journal", details);
	}

}
