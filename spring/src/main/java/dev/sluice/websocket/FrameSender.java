package dev.sluice.websocket;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Gives messages to the container. Called for one message at a time; the next call comes
 * when the stage of the one before has ended.
 */
@FunctionalInterface
interface FrameSender {

	/** Starts to send and returns at once; the stage ends as the sending does. */
	CompletionStage<@Nullable Void> send(WebSocketMessage<?> message) throws Exception;

}
