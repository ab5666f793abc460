package dev.sluice.websocket.stomp;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import dev.sluice.internal.ClientNames;
import dev.sluice.throttle.ThrottledException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.MimeTypeUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Advice that answers messages rejected by limits, if the application has no
 * {@link MessageExceptionHandler} for {@link ThrottledException} or for any exception;
 * such handlers take precedence.
 *
 * @since 0.1.0
 * @param action what to do
 * @param destination the destination of answers to users, such as {@code /queue/errors}
 * @param template sends to users
 * @param outbound the channel to clients
 * @param frame writes the answer, as JSON
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public record ThrottledMessageAdvice(StompThrottled action, String destination, SimpMessagingTemplate template,
		MessageChannel outbound, Function<ThrottledException, String> frame) {

	@MessageExceptionHandler
	void answer(ThrottledException rejection, Message<?> message) {
		SimpMessageHeaderAccessor request = SimpMessageHeaderAccessor.wrap(message);
		byte[] body = this.frame.apply(rejection).getBytes(StandardCharsets.UTF_8);
		switch (this.action) {
			case USER_QUEUE -> sendToUser(request, body);
			case ERROR_FRAME -> sendError(rejection, request, body);
			case NONE -> {
			}
		}
	}

	/**
	 * Sends to the session that sent the message; its id stands for a user without a
	 * name.
	 */
	private void sendToUser(SimpMessageHeaderAccessor request, byte[] body) {
		String name = ClientNames.find(request.getUser());
		String user = (name != null) ? name : String.valueOf(request.getSessionId());
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create();
		headers.setSessionId(request.getSessionId());
		headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
		headers.setLeaveMutable(true);
		this.template.send(
				this.template.getUserDestinationPrefix() + StringUtils.replace(user, "/", "%2F") + this.destination,
				MessageBuilder.createMessage(body, headers.getMessageHeaders()));
	}

	private void sendError(ThrottledException rejection, SimpMessageHeaderAccessor request, byte[] body) {
		StompHeaderAccessor headers = StompHeaderAccessor.create(StompCommand.ERROR);
		headers.setSessionId(request.getSessionId());
		headers.setMessage(rejection.getMessage());
		headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
		String receipt = request.getFirstNativeHeader(StompHeaderAccessor.STOMP_RECEIPT_HEADER);
		if (receipt != null) {
			headers.setReceiptId(receipt);
		}
		this.outbound.send(MessageBuilder.createMessage(body, headers.getMessageHeaders()));
	}

}
