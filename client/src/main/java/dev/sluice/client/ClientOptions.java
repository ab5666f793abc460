package dev.sluice.client;

import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Options of a client. */
record ClientOptions(ClientListener listener, Delivery delivery, @Nullable SessionStore store,
		Function<WebSocket.Listener, CompletionStage<WebSocket>> dialer, Executor executor, DelayScheduler scheduler,
		RandomGenerator random, Duration handshakeTimeout, Duration pingInterval, int queueCapacity,
		JsonMapper jsonMapper) {
}
