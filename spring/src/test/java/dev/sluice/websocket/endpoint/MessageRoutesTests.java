package dev.sluice.websocket.endpoint;

import java.util.Map;

import dev.sluice.execution.Level;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageRoutesTests {

	@Test
	void aSealedInterfaceNamesItsRecords() {
		MessageRoutes routes = new MessageRoutes(SealedSession.class, "type");
		assertThat(routes.types()).containsExactly("circle", "square");
		assertThat(routes.json("circle").payload()).isEqualTo(Circle.class);
		assertThat(routes.json("triangle")).isNull();
		assertThat(routes.json(null)).isNull();
	}

	@Test
	void aTypeWithoutATypePropertyNamesItself() {
		assertThat(new MessageRoutes(NamedSession.class, "type").types()).containsExactly("circle", "ping");
	}

	@Test
	void aTypeThatReadsTheTypeItselfTakesWhatNobodyElseDoes() {
		MessageRoutes routes = new MessageRoutes(CatchAllSession.class, "type");
		assertThat(routes.json("circle").payload()).isEqualTo(Circle.class);
		assertThat(routes.json("anything").payload()).isEqualTo(Typed.class);
		assertThat(routes.json(null).payload()).isEqualTo(Typed.class);
		assertThat(new MessageRoutes(CatchAllSession.class, "kind").json("anything")).isNull();
	}

	@Test
	void aMethodHasItsLevel() {
		assertThat(new MessageRoutes(NamedSession.class, "type").json("ping").level()).isEqualTo(Level.HIGH);
	}

	@Test
	void methodsThatCannotBeFollowedAreRejected() {
		assertRejected(AmbiguousSession.class, "Two methods handle messages of type 'circle'");
		assertRejected(TextAndJsonSession.class, "Two methods handle text messages");
		assertRejected(PrivateSession.class, "must not be private");
		assertRejected(TwoParametersSession.class, "at most one parameter");
		assertRejected(NamelessSession.class, "name the type");
	}

	private static void assertRejected(Class<?> type, String reason) {
		assertThatExceptionOfType(InvalidEndpointException.class).isThrownBy(() -> new MessageRoutes(type, "type"))
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

}
