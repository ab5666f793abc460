package dev.sluice.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** What observations of messages are called. */
abstract sealed class MessageConvention implements ObservationConvention<MessageObservationContext>
		permits MessageHandlingConvention, MessageSendingConvention {

	@Override
	public final boolean supportsContext(Observation.Context context) {
		return context instanceof MessageObservationContext;
	}

	@Override
	public final KeyValues getLowCardinalityKeyValues(MessageObservationContext context) {
		return KeyValues.of(
				SluiceObservation.MessageKeyNames.LEVEL.withValue(context.getLevel().name().toLowerCase(Locale.ROOT)),
				SluiceObservation.MessageKeyNames.OUTCOME
					.withValue(context.getOutcome().name().toLowerCase(Locale.ROOT)),
				SluiceObservation.MessageKeyNames.TYPE.withValue(context.getSessionType()));
	}

}
