package dev.sluice.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and keys of the observations of messages. */
enum MessageConvention implements ObservationConvention<MessageObservationContext> {

	/** For a client's message. */
	HANDLING("sluice.message.handling", "handle "),

	/** For a message to a client. */
	SENDING("sluice.message.sending", "send ");

	private final String observation;

	private final String verb;

	MessageConvention(String observation, String verb) {
		this.observation = observation;
		this.verb = verb;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof MessageObservationContext;
	}

	@Override
	public String getName() {
		return this.observation;
	}

	@Override
	public String getContextualName(MessageObservationContext context) {
		return this.verb + context.getSessionType();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(MessageObservationContext context) {
		return KeyValues.of(
				SluiceObservation.MessageKeyNames.LEVEL.withValue(context.getLevel().name().toLowerCase(Locale.ROOT)),
				SluiceObservation.MessageKeyNames.OUTCOME
					.withValue(context.getOutcome().name().toLowerCase(Locale.ROOT)),
				SluiceObservation.MessageKeyNames.TYPE.withValue(context.getSessionType()));
	}

}
