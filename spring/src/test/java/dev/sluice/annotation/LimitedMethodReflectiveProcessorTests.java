package dev.sluice.annotation;

import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/** Hints for limited methods, read from their annotations. */
class LimitedMethodReflectiveProcessorTests {

	@Test
	void whatAnExpressionReadsIsKnownByTheNamesOfParameters() {
		RuntimeHints hints = hints(ByName.class);
		assertThat(members(Order.class)).accepts(hints);
		assertThat(members(Customer.class)).accepts(hints);
		assertThat(members(Address.class)).rejects(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(ByName.class, "ship")).accepts(hints);
	}

	@Test
	void whatAnExpressionReadsIsKnownByThePositionsOfParameters() {
		assertThat(members(Customer.class)).accepts(hints(ByPosition.class));
	}

	@Test
	void whatTheArgumentsOfAMethodReadIsKnown() {
		assertThat(members(Customer.class)).accepts(hints(InArguments.class));
	}

	@Test
	void annotationsOfATypeHoldForItsMethods() {
		assertThat(members(Order.class)).accepts(hints(OfType.class));
	}

	@Test
	void theFallbackIsKnownAndOtherMethodsAreNot() {
		RuntimeHints hints = hints(WithFallback.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(WithFallback.class, "later")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(WithFallback.class, "other")).rejects(hints);
	}

	@Test
	void anExpressionThatCannotBeReadIsLeftToTheStart() {
		assertThat(hints(Unreadable.class).reflection().typeHints()).hasSize(1);
	}

	private static RuntimeHints hints(Class<?> type) {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, type);
		return hints;
	}

	private static Predicate<RuntimeHints> members(Class<?> type) {
		return RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS);
	}

	record Order(Customer customer, int lines) {

	}

	record Customer(Address address, String id) {

	}

	record Address(String street) {

	}

	static class ByName {

		@Mutex(value = "order", key = "#order.customer.address")
		void ship(Order order) {
		}

	}

	static class ByPosition {

		@Throttled(value = "orders", permits = "1 + #a1.customer().id().length()")
		void ship(String note, Order order) {
		}

	}

	static class InArguments {

		@Semaphore(value = "orders", owner = "#note.concat(#order.customer.id)")
		void ship(String note, Order order) {
		}

	}

	@Throttled(value = "orders", key = "#order.lines")
	static class OfType {

		void ship(Order order) {
		}

	}

	static class WithFallback {

		@Throttled("orders")
		@WhenThrottled(fallback = "later")
		void ship() {
		}

		void later() {
		}

		void other() {
		}

	}

	static class Unreadable {

		@Throttled(value = "orders", key = "#order.")
		void ship(Order order) {
		}

	}

}
