package dev.sluice.observation;

import dev.sluice.execution.Level;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Observes messages, if an observation handler is registered. */
record MessageObservations(ObservationRegistry registry) implements MessageObserver {

	@Override
	public ObservedMessage received(String sessionType, String sessionId, Level level) {
		return observe(SluiceObservation.MESSAGE_HANDLING, MessageConvention.HANDLING, sessionType, sessionId, level);
	}

	@Override
	public ObservedMessage sending(String sessionType, String sessionId, Level level) {
		return observe(SluiceObservation.MESSAGE_SENDING, MessageConvention.SENDING, sessionType, sessionId, level);
	}

	private ObservedMessage observe(SluiceObservation kind, MessageConvention convention, String sessionType,
			String sessionId, Level level) {
		if (this.registry.isNoop()) {
			return ObservedMessage.NONE;
		}
		MessageObservationContext context = new MessageObservationContext(sessionType, sessionId, level);
		Observation observation = kind.observation(null, convention, () -> context, this.registry);
		return observation.isNoop() ? ObservedMessage.NONE : new MessageObservation(observation.start(), context);
	}

}
