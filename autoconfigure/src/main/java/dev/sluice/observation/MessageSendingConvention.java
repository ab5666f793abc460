package dev.sluice.observation;

/** What the observation of a message to a client is called. */
final class MessageSendingConvention extends MessageConvention {

	static final MessageSendingConvention INSTANCE = new MessageSendingConvention();

	private MessageSendingConvention() {
	}

	@Override
	public String getName() {
		return "sluice.message.sending";
	}

	@Override
	public String getContextualName(MessageObservationContext context) {
		return "send " + context.getSessionType();
	}

}
