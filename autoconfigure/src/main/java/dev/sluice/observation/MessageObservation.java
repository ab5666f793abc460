package dev.sluice.observation;

import java.security.Principal;

import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.ObservedMessage;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** The observation of one message. */
final class MessageObservation implements ObservedMessage {

	private final Observation observation;

	private final MessageObservationContext context;

	/** Accessed by the threads that handle the message, one after the other. */
	private boolean begun;

	MessageObservation(Observation observation, MessageObservationContext context) {
		this.observation = observation;
		this.context = context;
	}

	@Override
	public Scope open() {
		if (!this.begun) {
			this.begun = true;
			this.observation.event(SluiceObservation.MessageEvents.TURN);
		}
		return this.observation.openScope()::close;
	}

	@Override
	public void identified(String type, @Nullable Principal user) {
		this.observation.highCardinalityKeyValue(SluiceObservation.MessageDetailKeyNames.MESSAGE.withValue(type));
		String name = ClientNames.find(user);
		if (name != null) {
			this.observation.highCardinalityKeyValue(SluiceObservation.MessageDetailKeyNames.USER.withValue(name));
		}
	}

	@Override
	public void failed(Throwable failure) {
		if (this.context.getOutcome() != MessageObservationContext.Outcome.UNKNOWN) {
			return;
		}
		this.context.setOutcome(MessageObservationContext.Outcome.of(failure));
		if (this.context.getOutcome().isError()) {
			this.observation.error(failure);
		}
	}

	@Override
	public void ended(@Nullable Throwable refusal) {
		if (refusal != null) {
			failed(refusal);
		}
		else if (this.context.getOutcome() == MessageObservationContext.Outcome.UNKNOWN) {
			this.context.setOutcome(MessageObservationContext.Outcome.COMPLETED);
		}
		this.observation.stop();
	}

}
