package dev.sluice.cluster.stomp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.broker.OrderedMessageChannelDecorator;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.simp.user.DefaultUserDestinationResolver;
import org.springframework.messaging.simp.user.UserDestinationMessageHandler;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.web.socket.messaging.DefaultSimpUserRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class StompRoutesTests {

	private final ExecutorSubscribableChannel inbound = new ExecutorSubscribableChannel();

	private final ExecutorSubscribableChannel channel = new ExecutorSubscribableChannel();

	private final List<Message<?>> handled = new ArrayList<>();

	private final SimpleBrokerMessageHandler simple = new SimpleBrokerMessageHandler(this.inbound,
			new ExecutorSubscribableChannel(), this.channel, List.of("/topic", "/queue")) {

		@Override
		protected void handleMessageInternal(Message<?> message) {
			StompRoutesTests.this.handled.add(message);
		}

	};

	private final DefaultSimpUserRegistry registry = new DefaultSimpUserRegistry();

	private final UserDestinationMessageHandler users = new UserDestinationMessageHandler(this.inbound, this.channel,
			new DefaultUserDestinationResolver(this.registry));

	private final StompBroker broker = new StompBroker(this.inbound, new ExecutorSubscribableChannel(), this.channel,
			this.simple, this.users, "/user/", this.registry);

	private final StompRoutes routes = routes("/topic/**", "/queue/x");

	private StompRoutes routes(String... patterns) {
		return new StompRoutes(this.broker, "mine"::equals, List.of(patterns));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/topic/a", "/topic/a/b", "/queue/x" })
	void destinationsThatMatchAreOfAllNodes(String destination) {
		assertThat(this.routes.ofClient(message(destination, "mine"), this.simple)).isNotNull();
		assertThat(this.routes.ofApplication(message(destination, null), this.simple)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/queue/y", "/app/x", "/chat/x", "/user/ann/queue/x" })
	void otherDestinationsAreNotTakenFromTheBroker(String destination) {
		StompRoutes all = routes("/app/**", "/chat/**", "/user/**", "/queue/x");
		assertThat(all.ofClient(message(destination, "mine"), this.simple)).isNull();
		assertThat(all.ofApplication(message(destination, null), this.simple)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "/queue/x, true", "/topic/a, true", "/queue/y, false", "x, false" })
	void destinationsOfUsersAreThoseBehindTheUser(String rest, boolean expected) {
		Message<?> message = message("/user/ann" + (rest.startsWith("/") ? rest : ""), null);
		assertThat(this.routes.ofApplication(message, this.users) != null).isEqualTo(expected);
		assertThat(routes("/user/**").ofApplication(message, this.users) != null).isEqualTo(rest.startsWith("/"));
	}

	@Test
	void otherHandlersKeepTheirMessages() {
		MessageHandler own = (message) -> {
		};
		assertThat(this.routes.ofApplication(message("/topic/a", null), own)).isNull();
		assertThat(this.routes.ofApplication(message("/topic/a", null), this.users)).isNull();
	}

	@Test
	void onlyMessagesWithBytesAreTaken() {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.SUBSCRIBE);
		headers.setDestination("/topic/a");
		assertThat(this.routes.ofClient(MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders()),
				this.simple))
			.isNull();
		Message<?> message = message("/topic/a", null);
		assertThat(this.routes.ofApplication(MessageBuilder.createMessage("text", message.getHeaders()), this.simple))
			.as("Spring tells that it needs bytes")
			.isNull();
	}

	/** A client may set any header; what Spring has resolved is the application's. */
	@Test
	void whatSpringHasResolvedStaysUnlessAClientSaysSo() {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.wrap(message("/queue/x", "mine"));
		headers.setNativeHeader(SimpMessageHeaderAccessor.ORIGINAL_DESTINATION, "/user/queue/x");
		Message<?> resolved = MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders());
		assertThat(this.routes.ofApplication(resolved, this.simple)).isNull();
		assertThat(this.routes.ofClient(resolved, this.simple)).isNotNull();
	}

	@Test
	void aReplyToASessionOfThisNodeStaysAndOneToAnotherGoesToThatSessionOnly() {
		assertThat(this.routes.ofApplication(message("/user/mine/queue/x", "mine"), this.users)).isNull();
		assertThat(this.routes.ofApplication(message("/user/ann/queue/x", "mine"), this.users))
			.as("not a session of that user")
			.isNotNull()
			.extracting(NodeMessage::sessionId)
			.isNull();
		assertThat(this.routes.ofApplication(message("/user/ann/queue/x", "elsewhere"), this.users)).isNotNull()
			.extracting(NodeMessage::sessionId)
			.isEqualTo("elsewhere");
		assertThat(this.routes.ofClient(message("/user/ann/queue/x", "mine"), this.users)).isNotNull()
			.extracting(NodeMessage::sessionId)
			.isNull();
	}

	/** A client that only sends would be taken for dead, and block what keeps order. */
	@Test
	void theBrokerSeesThatAClientLivesAndTheNextMessageOfAnOrderedChannelFollows() {
		List<String> published = new ArrayList<>();
		Function<StompRoutes, ClusterInterceptor> interceptor = (routes) -> new ClusterInterceptor(routes::ofClient,
				(routed, message) -> published.add(routed.destination()));
		this.inbound.addInterceptor(interceptor.apply(this.routes));
		OrderedMessageChannelDecorator.configureInterceptor(this.inbound, true);
		this.simple.start();
		MessageChannel ordered = new OrderedMessageChannelDecorator(this.inbound, LogFactory.getLog(getClass()));
		ordered.send(mutable("/topic/1"));
		ordered.send(mutable("/topic/2"));
		ordered.send(mutable("/other"));
		assertThat(published).containsExactly("/topic/1", "/topic/2");
		assertThat(this.handled).hasSize(3)
			.allSatisfy((message) -> assertThat(SimpMessageHeaderAccessor.getSessionId(message.getHeaders()))
				.isEqualTo("mine"));
		assertThat(this.handled).extracting((message) -> SimpMessageHeaderAccessor.getDestination(message.getHeaders()))
			.containsExactly(null, null, "/other");
		assertThat(this.handled).extracting((message) -> SimpMessageHeaderAccessor.getMessageType(message.getHeaders()))
			.containsExactly(SimpMessageType.HEARTBEAT, SimpMessageType.HEARTBEAT, SimpMessageType.MESSAGE);
	}

	private static Message<?> message(String destination, @Nullable String session) {
		return MessageBuilder.createMessage(new byte[0], headers(destination, session).getMessageHeaders());
	}

	private static Message<?> mutable(String destination) {
		SimpMessageHeaderAccessor headers = headers(destination, "mine");
		headers.setLeaveMutable(true);
		return MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders());
	}

	private static SimpMessageHeaderAccessor headers(String destination, @Nullable String session) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setDestination(destination);
		headers.setSessionId(session);
		return headers;
	}

}
