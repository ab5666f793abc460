package dev.sluice.autoconfigure.websocket;

import java.util.List;

import dev.sluice.observation.DefaultObservers;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.validation.Validator;

/**
 * Beans of the application that take part in the handling of a message, or their
 * defaults.
 *
 * @param jsonMapper reads and writes messages
 * @param validator validates each message read
 * @param levels chooses the level
 * @param errorHandlers answer failures
 * @param observer is notified of each message
 * @param principals determines the principal for whom a message is handled
 */
record MessageHooks(JsonMapper jsonMapper, @Nullable Validator validator, @Nullable LevelResolver levels,
		List<MessageErrorHandler> errorHandlers, MessageObserver observer, PrincipalContext principals) {

	/**
	 * Looks the beans up.
	 * @param beans has the beans of the application
	 */
	static MessageHooks of(ListableBeanFactory beans) {
		return new MessageHooks(beans.getBeanProvider(JsonMapper.class).getIfAvailable(JsonMapper::shared),
				MessageValidators.find(beans), beans.getBeanProvider(LevelResolver.class).getIfAvailable(),
				beans.getBeanProvider(MessageErrorHandler.class).orderedStream().toList(),
				beans.getBeanProvider(MessageObserver.class).getIfUnique(() -> DefaultObservers.ofMessages(beans)),
				beans.getBeanProvider(PrincipalContext.class).getIfUnique(() -> PrincipalContext.NONE));
	}

	WebSocketDispatcher.Builder addTo(WebSocketDispatcher.Builder builder) {
		return builder.jsonMapper(this.jsonMapper)
			.validator(this.validator)
			.levels(this.levels)
			.errorHandlers(this.errorHandlers)
			.observer(this.observer)
			.principals(this.principals);
	}

}
