package dev.sluice.websocket.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.execution.Level;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.message.JsonMessages;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageRoutesTests {

	@Test
	void aSealedInterfaceNamesItsRecords() {
		MessageRoutes routes = new MessageRoutes(SealedSession.class, messages("type"));
		assertThat(routes.types()).containsExactly("circle", "square");
		assertThat(routes.json("circle").payload()).isEqualTo(Circle.class);
		assertThat(routes.json("triangle")).isNull();
		assertThat(routes.json(null)).isNull();
	}

	@Test
	void aTypeWithoutATypePropertyNamesItself() {
		assertThat(new MessageRoutes(NamedSession.class, messages("type")).types()).containsExactly("circle", "ping");
	}

	@Test
	void aTypeThatReadsTheTypeItselfTakesWhatNobodyElseDoes() {
		MessageRoutes routes = new MessageRoutes(CatchAllSession.class, messages("type"));
		assertThat(routes.json("circle").payload()).isEqualTo(Circle.class);
		assertThat(routes.json("anything").payload()).isEqualTo(Typed.class);
		assertThat(routes.json(null).payload()).isEqualTo(Typed.class);
		assertThat(new MessageRoutes(CatchAllSession.class, messages("kind")).json("anything")).isNull();
	}

	@Test
	void aMethodHasItsLevel() {
		assertThat(new MessageRoutes(NamedSession.class, messages("type")).json("ping").level()).isEqualTo(Level.HIGH);
	}

	@Test
	void methodsThatCannotBeFollowedAreRejected() {
		assertRejected(AmbiguousSession.class, "Two methods handle messages of type 'circle'");
		assertRejected(TextAndJsonSession.class, "Two methods handle text messages");
		assertRejected(PrivateSession.class, "must not be private");
		assertRejected(TwoParametersSession.class, "at most one parameter");
		assertRejected(NamelessSession.class, "name the type");
	}

	@Test
	void messagesThatCannotBeReadAreRejected() {
		assertRejected(ListSession.class, "JSON object");
		assertRejected(EnumSession.class, "JSON object");
		assertRejected(IntSession.class, "JSON object");
		assertRejected(BytesSession.class, "JSON object");
		assertRejected(TextMessageSession.class, "no constructor");
		assertRejected(NoConstructorSession.class, "no constructor");
		assertRejected(OpenSession.class, "abstract");
		assertRejected(NonSealedSession.class, "abstract");
		assertRejected(BrokenSession.class, "Jackson cannot read it");
		assertRejected(JakartaSession.class, "jakarta.websocket");
	}

	@Test
	void resultsThatStandForAnotherAreRejected() {
		assertRejected(FutureSession.class, "java.util.concurrent.Future");
		assertRejected(CallableSession.class, "java.util.concurrent.Callable");
		assertRejected(StreamSession.class, "java.util.stream.Stream");
		assertRejected(IntStreamSession.class, "java.util.stream.IntStream");
		assertRejected(MonoSession.class, "reactor.core.publisher.Mono");
		assertRejected(FluxSession.class, "reactor.core.publisher.Flux");
		assertRejected(DeferredResultSession.class, "DeferredResult");
		assertRejected(NestedSession.class, "reactor.core.publisher.Mono");
		assertThat(new MessageRoutes(StageSession.class, messages("type")).types()).containsExactly("circle", "square");
	}

	@Test
	void resultsThatAreObjectsOfThisNodeAreRejected() {
		assertRejected(ItselfSession.class, "ItselfSession, which cannot be sent");
		assertRejected(NativeSession.class, "org.springframework.web.socket.WebSocketSession, which cannot be sent");
		assertRejected(FailureSession.class, "java.lang.IllegalStateException, which cannot be sent");
	}

	@Test
	void theParameterOfASuperclassIsThatOfTheSession() {
		MessageRoutes routes = new MessageRoutes(GenericCircleSession.class, messages("type"));
		assertThat(routes.json("circle").payload()).isEqualTo(Circle.class);
	}

	@Test
	void theMapperDecidesWhetherATypeReadsTheTypeItself() {
		assertThat(new MessageRoutes(RenamedSession.class, messages("type")).json("any")).isNotNull();
		JsonMessages mixed = new JsonMessages(JsonMapper.builder().addMixIn(Circle.class, Identified.class).build(),
				"type");
		assertThat(new MessageRoutes(NamedSession.class, mixed).json("any")).isNotNull();
	}

	private static JsonMessages messages(String typeProperty) {
		return new JsonMessages(JsonMapper.shared(), typeProperty);
	}

	private static void assertRejected(Class<?> type, String reason) {
		assertThatExceptionOfType(InvalidEndpointException.class)
			.isThrownBy(() -> new MessageRoutes(type, messages("type")))
			.withMessageContaining(type.getName())
			.withMessageContaining(reason);
	}

	sealed interface Shape permits Circle, Quadrangle {

	}

	record Circle(int radius) implements Shape {
	}

	sealed interface Quadrangle extends Shape permits Square {

	}

	record Square(int side) implements Quadrangle {
	}

	record Typed(String type) {
	}

	static class SealedSession extends ManagedSession {

		@OnMessage
		void shape(Shape shape) {
		}

	}

	static class NamedSession extends ManagedSession {

		@OnMessage
		void circle(Circle circle) {
		}

		@OnMessage(value = "ping", level = Level.HIGH)
		void ping() {
		}

	}

	static class CatchAllSession extends ManagedSession {

		@OnMessage("circle")
		void circle(Circle circle) {
		}

		@OnMessage
		void others(Typed typed) {
		}

	}

	static class AmbiguousSession extends ManagedSession {

		@OnMessage
		void circle(Circle circle) {
		}

		@OnMessage("circle")
		void map(Map<String, Object> circle) {
		}

	}

	static class TextAndJsonSession extends ManagedSession {

		@OnMessage
		void text(String text) {
		}

		@OnMessage
		void circle(Circle circle) {
		}

	}

	static class PrivateSession extends ManagedSession {

		@OnMessage
		private void text(String text) {
		}

	}

	static class TwoParametersSession extends ManagedSession {

		@OnMessage
		void text(String text, String other) {
		}

	}

	static class NamelessSession extends ManagedSession {

		@OnMessage
		void anything() {
		}

	}

	static class ListSession extends ManagedSession {

		@OnMessage
		void on(List<Circle> message) {
		}

	}

	static class EnumSession extends ManagedSession {

		@OnMessage
		void on(Side message) {
		}

	}

	static class IntSession extends ManagedSession {

		@OnMessage
		void on(int message) {
		}

	}

	static class TextMessageSession extends ManagedSession {

		@OnMessage
		void on(TextMessage message) {
		}

	}

	static class NoConstructorSession extends ManagedSession {

		@OnMessage
		void on(NoConstructor message) {
		}

	}

	static class OpenSession extends ManagedSession {

		@OnMessage
		void on(Open message) {
		}

	}

	static class NonSealedSession extends ManagedSession {

		@OnMessage
		void on(Half message) {
		}

	}

	static class BrokenSession extends ManagedSession {

		@OnMessage
		void on(Broken message) {
		}

	}

	static class RenamedSession extends ManagedSession {

		@OnMessage
		void on(Renamed message) {
		}

	}

	static class BytesSession extends ManagedSession {

		@OnMessage("bytes")
		void on(byte[] message) {
		}

	}

	static class JakartaSession extends ManagedSession {

		@jakarta.websocket.OnMessage
		void on(String message) {
		}

	}

	static class FutureSession extends ManagedSession {

		@OnMessage
		Future<Circle> on(Circle message) {
			return null;
		}

	}

	static class CallableSession extends ManagedSession {

		@OnMessage
		Callable<Circle> on(Circle message) {
			return null;
		}

	}

	static class StreamSession extends ManagedSession {

		@OnMessage
		Stream<Circle> on(Circle message) {
			return null;
		}

	}

	static class IntStreamSession extends ManagedSession {

		@OnMessage
		IntStream on(Circle message) {
			return null;
		}

	}

	static class MonoSession extends ManagedSession {

		@OnMessage
		Mono<Circle> on(Circle message) {
			return null;
		}

	}

	static class FluxSession extends ManagedSession {

		@OnMessage
		Flux<Circle> on(Circle message) {
			return null;
		}

	}

	static class DeferredResultSession extends ManagedSession {

		@OnMessage
		DeferredResult<Circle> on(Circle message) {
			return null;
		}

	}

	static class NestedSession extends ManagedSession {

		@OnMessage
		CompletableFuture<Optional<Mono<Circle>>> on(Circle message) {
			return null;
		}

	}

	static class ItselfSession extends ManagedSession {

		@OnMessage
		ItselfSession on(Circle message) {
			return this;
		}

	}

	static class NativeSession extends ManagedSession {

		@OnMessage
		Optional<WebSocketSession> on(Circle message) {
			return Optional.empty();
		}

	}

	static class FailureSession extends ManagedSession {

		@OnMessage
		CompletionStage<IllegalStateException> on(Circle message) {
			return new CompletableFuture<>();
		}

	}

	static class StageSession extends ManagedSession {

		@OnMessage
		CompletionStage<Optional<List<Circle>>> circle(Circle message) {
			return new CompletableFuture<>();
		}

		@OnMessage
		Optional<String> square(Square message) {
			return Optional.empty();
		}

	}

	abstract static class GenericSession<T> extends ManagedSession {

		@OnMessage
		void on(T message) {
		}

	}

	static class GenericCircleSession extends GenericSession<Circle> {

	}

	enum Side {

		BUY, SELL

	}

	static class NoConstructor {

		NoConstructor(String first, int second) {
		}

	}

	interface Open {

	}

	sealed interface Half permits HalfOpen {

	}

	non-sealed interface HalfOpen extends Half {

	}

	static class Broken {

		@JsonProperty("a")
		public void setOne(int value) {
		}

		@JsonProperty("a")
		public void setOther(int value) {
		}

	}

	record Renamed(@JsonProperty("type") String kind) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	interface Identified {

	}

}
