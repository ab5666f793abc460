package dev.sluice.observation;

/** What the observation of a client's message is called. */
final class MessageHandlingConvention extends MessageConvention {

	static final MessageHandlingConvention INSTANCE = new MessageHandlingConvention();

	private MessageHandlingConvention() {
	}

	@Override
	public String getName() {
		return "sluice.message.handling";
	}

	@Override
	public String getContextualName(MessageObservationContext context) {
		return "handle " + context.getSessionType();
	}

}
