package dev.sluice.websocket.endpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.TestSettings;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a client sees, and a typed session is told, when its class fails. */
class EndpointFailuresTests {

	/** Is cut in the middle of its last character where it is quoted. */
	private static final String A_LONG_TYPE = "123456789 123456789 123456789 123456789 123456789 "
			+ "123456789 123456789 123456789 123456789 123456789\ud83d\ude00";

	private final List<Object> told = new ArrayList<>();

	private final List<Object> events = new ArrayList<>();

	private final StubSession client = new StubSession("1");

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private @Nullable Validator validator;

	private @Nullable WebSocketDispatcher dispatcher;

	@Test
	void aMethodThatFailsIsToldToItsSessionAndItsClientAndTheSessionLives() throws Exception {
		WebSocketHandler handler = open(Calculator.class, () -> new Calculator(this.told));
		send(handler, "{\"type\":\"divide\",\"by\":0}");
		send(handler, "{\"type\":\"divide\",\"by\":2}");
		assertThat(this.told).singleElement().isInstanceOf(ArithmeticException.class);
		assertThat(this.client.sent).containsExactly("{\"type\":\"error\",\"reason\":\"failed\"}", "6");
	}

	@Test
	void aTypeThatNoRecordHasIsUnknownAndOneThatDoesNotFitIsUnreadable() throws Exception {
		WebSocketHandler handler = open(Calculator.class, () -> new Calculator(this.told));
		send(handler, "{\"type\":\"operation\"}");
		send(handler, "{\"type\":\"divide\",\"by\":\"nothing\"}");
		handler.handleMessage(this.client, new BinaryMessage(new byte[1]));
		assertThat(this.client.sent).hasSize(3)
			.element(0)
			.asString()
			.contains("unknown-type", "'operation'", "divide, unencodable, unwritable");
		assertThat(this.client.sent).element(1).asString().contains("unreadable", " at 'by'\"");
		assertThat(this.client.sent).element(2).asString().contains("unknown-type");
		assertThat(this.told).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "unwritable", "unencodable" })
	void anAnswerThatHasNoFormOnTheWireIsAFailureOfItsMethod(String type) throws Exception {
		WebSocketHandler handler = open(Calculator.class, () -> new Calculator(this.told));
		send(handler, "{\"type\":\"%s\"}".formatted(type));
		send(handler, "{\"type\":\"divide\",\"by\":2}");
		assertThat(this.told).hasSize(1);
		assertThat(this.client.sent).containsExactly("{\"type\":\"error\",\"reason\":\"failed\"}", "6");
	}

	@Test
	void aMessageThatIsNotValidIsAnsweredAndItsMethodIsNotCalled() throws Exception {
		this.validator = new PositiveNumbers();
		WebSocketHandler handler = open(Validating.class, () -> new Validating(this.told));
		send(handler, "{\"type\":\"order\",\"number\":0}");
		send(handler, "{\"type\":\"order\",\"number\":1}");
		assertThat(this.client.sent).containsExactly(
				"{\"type\":\"error\",\"reason\":\"invalid\",\"detail\":\"'number' must be greater than 0; no order\"}",
				"1");
		assertThat(this.told).isEmpty();
	}

	@Test
	void aMethodWhoseMessageNothingCanValidateIsAMistake() {
		assertThatExceptionOfType(InvalidEndpointException.class)
			.isThrownBy(() -> open(Validating.class, () -> new Validating(this.told)))
			.withMessageContaining("has its message validated, and there is no Validator");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\ud83d", A_LONG_TYPE })
	void aTypeThatHasNoEncodingIsAnsweredToo(String type) throws Exception {
		WebSocketHandler handler = open(Calculator.class, () -> new Calculator(this.told));
		send(handler, "{\"type\":\"%s\"}".formatted(type));
		assertThat(this.client.sent).singleElement().asString().contains("unknown-type");
	}

	@Test
	@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
	void aMethodThatJoinsATaskOfItsOwnSessionFailsAndTheTaskRunsAfterIt() throws Exception {
		WebSocketHandler handler = open(Joining.class, () -> new Joining(this.told));
		send(handler, "message");
		assertThat(this.told).hasSize(2)
			.element(0)
			.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
			.isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("queue '1'");
		assertThat(this.told).element(1).isEqualTo("later");
		assertThat(this.client.sent).containsExactly("{\"type\":\"error\",\"reason\":\"failed\"}");
	}

	@Test
	void whenEvenTheHookForErrorsFailsThenTheSessionCloses() throws Exception {
		WebSocketHandler handler = open(Failing.class, () -> new Failing(this.told));
		send(handler, "message");
		assertThat(this.client.sent).containsExactly(CloseStatus.SERVER_ERROR);
		handler.afterConnectionClosed(this.client, CloseStatus.SERVER_ERROR);
		assertThat(this.told).containsExactly("error", "closed", "destroyed");
		assertThat(this.events).hasSize(2);
	}

	@Test
	void anErrorOfTheConnectionIsToldToItsSession() throws Exception {
		WebSocketHandler handler = open(Calculator.class, () -> new Calculator(this.told));
		IOException error = new IOException("expected");
		handler.handleTransportError(this.client, error);
		assertThat(this.told).containsExactly(error);
		assertThat(this.client.sent).isEmpty();
	}

	@Test
	void aSessionThatCannotBeMadeIsClosedAndNeverHeardOf() throws Exception {
		WebSocketHandler handler = open(Unmakable.class, Unmakable::new);
		send(handler, "message");
		handler.afterConnectionClosed(this.client, CloseStatus.SERVER_ERROR);
		assertThat(this.client.sent).containsExactly(CloseStatus.SERVER_ERROR);
		assertThat(this.events).isEmpty();
		assertThat(this.dispatcher.sessions().count()).isZero();
	}

	private <T extends ManagedSession> WebSocketHandler open(Class<T> type, Supplier<T> maker) throws Exception {
		RootBeanDefinition definition = new RootBeanDefinition(type, BeanDefinition.SCOPE_PROTOTYPE, maker);
		definition.setDestroyMethodName("destroy");
		definition.setEnforceDestroyMethod(false);
		this.beans.registerBeanDefinition("session", definition);
		this.dispatcher = WebSocketDispatcher
			.builder(SequentialLeveledTaskExecutor.builder(Runnable::run).build(),
					SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
			.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
			.control(Runnable::run)
			.events(this.events::add)
			.validator(this.validator)
			.build();
		WebSocketHandler handler = EndpointHandler.ordered(type, this.dispatcher.context(),
				new ConnectedSessions(new SessionObjects(this.beans, "session"), this.dispatcher.context().messages()));
		handler.afterConnectionEstablished(this.client);
		return handler;
	}

	private void send(WebSocketHandler handler, String message) throws Exception {
		handler.handleMessage(this.client, new TextMessage(message));
	}

	sealed interface Operation {

		record Divide(int by) implements Operation {
		}

		record Unwritable() implements Operation {
		}

		record Unencodable() implements Operation {
		}

	}

	static class Calculator extends ManagedSession {

		private final List<Object> told;

		Calculator(List<Object> told) {
			this.told = told;
		}

		@OnMessage
		Object calculate(Operation operation) {
			return (operation instanceof Operation.Divide divide) ? (Object) (12 / divide.by())
					: (operation instanceof Operation.Unwritable) ? new Unwritten() : "\ud83d";
		}

		@Override
		protected void onError(Throwable error) {
			this.told.add(error);
		}

	}

	record Order(int number) {
	}

	static class PositiveNumbers implements Validator {

		@Override
		public boolean supports(Class<?> type) {
			return type == Order.class;
		}

		@Override
		public void validate(Object target, Errors errors) {
			if (((Order) target).number() <= 0) {
				errors.rejectValue("number", "positive", "must be greater than 0");
				errors.reject("none", "no order");
			}
		}

	}

	static class Validating extends ManagedSession {

		private final List<Object> told;

		Validating(List<Object> told) {
			this.told = told;
		}

		@OnMessage
		int order(@Validated Order order) {
			return order.number();
		}

		@Override
		protected void onError(Throwable error) {
			this.told.add(error);
		}

	}

	static class Joining extends ManagedSession {

		private final List<Object> told;

		Joining(List<Object> told) {
			this.told = told;
		}

		@OnMessage
		boolean join(String message) {
			return submit(() -> this.told.add("later")).join();
		}

		@Override
		protected void onError(Throwable error) {
			this.told.add(error);
		}

	}

	static class Failing extends ManagedSession {

		private final List<Object> told;

		Failing(List<Object> told) {
			this.told = told;
		}

		@OnMessage
		void fail(String message) {
			throw new IllegalStateException("expected");
		}

		@Override
		protected void onError(Throwable error) {
			this.told.add("error");
			throw new IllegalStateException("expected, too");
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.told.add("closed");
			throw new IllegalStateException("expected, as well");
		}

		void destroy() {
			this.told.add("destroyed");
		}

	}

	static class Unmakable extends ManagedSession {

		Unmakable() {
			throw new IllegalStateException("expected");
		}

		@OnMessage
		void handle(String message) {
		}

	}

	/** Has a property that cannot be read. */
	public static class Unwritten {

		public String getText() {
			throw new IllegalStateException("expected");
		}

	}

}
