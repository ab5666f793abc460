package dev.sluice.websocket.handler;

import java.security.Principal;

import dev.sluice.execution.Level;
import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Guard of a {@link MessageObserver}: its failures do not affect the message. A message
 * whose observation cannot begin is not observed.
 */
record GuardedMessageObserver(MessageObserver observer) implements MessageObserver {

	private static final ExtensionPoint BEGIN = new ExtensionPoint("MessageObserver", "the message is not observed");

	private static final ExtensionPoint OBSERVE = new ExtensionPoint("ObservedMessage", "the message is still handled");

	/** Guards an observer, but for the one that observes nothing. */
	static MessageObserver of(MessageObserver observer) {
		return (observer != MessageObserver.NONE) ? new GuardedMessageObserver(observer) : observer;
	}

	@Override
	public ObservedMessage received(String sessionType, String sessionId, Level level) {
		return guarded(BEGIN.get(this.observer, () -> this.observer.received(sessionType, sessionId, level),
				ObservedMessage.NONE));
	}

	@Override
	public ObservedMessage sending(String sessionType, String sessionId, Level level) {
		return guarded(BEGIN.get(this.observer, () -> this.observer.sending(sessionType, sessionId, level),
				ObservedMessage.NONE));
	}

	private static ObservedMessage guarded(ObservedMessage message) {
		return (message != ObservedMessage.NONE) ? new GuardedMessage(message) : message;
	}

	/** Guard of one message. */
	private record GuardedMessage(ObservedMessage message) implements ObservedMessage {

		@Override
		public Scope open() {
			Scope scope = OBSERVE.get(this.message, this.message::open, Scope.NONE);
			return (scope != Scope.NONE) ? () -> OBSERVE.run(scope, scope::close) : scope;
		}

		@Override
		public void identified(String type, @Nullable Principal user) {
			OBSERVE.run(this.message, () -> this.message.identified(type, user));
		}

		@Override
		public void failed(Throwable failure) {
			OBSERVE.run(this.message, () -> this.message.failed(failure));
		}

		@Override
		public void ended(@Nullable Throwable rejection) {
			OBSERVE.run(this.message, () -> this.message.ended(rejection));
		}

	}

}
