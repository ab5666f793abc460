package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import dev.sluice.annotation.InvalidThrottledMethodException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MethodExpressionTests {

	private static final SimpleEvaluationContext SHARED = SimpleEvaluationContext.forReadOnlyDataBinding()
		.withInstanceMethods()
		.build();

	private final Method method = BeanUtils.resolveSignature("transfer", Bank.class);

	private final MethodParameters parameters = new MethodParameters(this.method);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "#account.owner | ada", "#a0.owner | ada", "#p0.owner | ada", "#account.owner.length() + 1 | 4",
					"#amounts.size() | 2", "#amounts[1] | 7", "#amounts.![#this + 1] | [6, 8]",
					"#amounts.?[#this > 5] | [7]", "#account.limits['day'] | 10", "#account.limits[day] | 10",
					"#account.owner ?: 'nobody' | ada", "'fixed' | fixed", "#session.id | s1" })
	void readsPropertiesAndCallsInstanceMethods(String expression, String expected) {
		assertThat(evaluate(expression)).hasToString(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime)", "@bank", "new String('x')", "#account.owner = 'bob'", "#a0.size++",
			"#a0.size--", "#account.owner == T(String)", "#function(1)", "#amounts.?[T(System) != null]" })
	void refusesWhatCouldReachMoreThanTheCallShows(String expression) {
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(() -> parse(expression))
			.withMessageContaining("must not use");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#acount", "#a2", "#root", "#this", "#account.limits[#dy]", "#amounts.![#sum]" })
	void refusesANameThatTheCallDoesNotShow(String expression) {
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(() -> parse(expression))
			.withMessageContaining("neither a parameter nor one of #session, #principal, #headers")
			.satisfies((ex) -> assertThat(ex.action()).contains("#account, #amounts"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "owner", "size()", "owner.length()", "#account.with(owner)" })
	void refusesABareName(String expression) {
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(() -> parse(expression))
			.withMessageContaining("with nothing before it");
	}

	@Test
	void whenTextIsNoExpressionThenSaysWhere() {
		assertThatExceptionOfType(InvalidThrottledMethodException.class).isThrownBy(() -> parse("#account."))
			.withMessageStartingWith(
					"Method MethodExpressionTests.Bank.transfer: 'key = \"#account.\"' of @Mutex(\"m\")"
							+ " is not a SpEL expression")
			.withCauseInstanceOf(org.springframework.expression.ParseException.class);
	}

	@Test
	void whenValueIsNullThenNamesTheExpression() {
		assertThatIllegalStateException().isThrownBy(() -> evaluate("#headers"))
			.withMessage("The result is null of 'key = \"#headers\"' of @Mutex(\"m\")"
					+ " on MethodExpressionTests.Bank.transfer");
	}

	@Test
	void whenEvaluationFailsThenNamesTheExpression() {
		assertThatIllegalStateException().isThrownBy(() -> evaluate("#headers.id"))
			.withMessageStartingWith("Cannot evaluate 'key = \"#headers.id\"' of @Mutex(\"m\")");
	}

	@Test
	void staysRightWhenCompiledAndWhenValuesChangeTheirClass() {
		MethodExpression expression = parse("#account.owner");
		for (int i = 0; i < 500; i++) {
			assertThat(expression.evaluate(context(new Account("ada")))).isEqualTo("ada");
			assertThat(expression.evaluate(context(new Savings("bob")))).isEqualTo("bob");
		}
	}

	@ParameterizedTest
	@CsvSource({ "#amounts.size(), 2", "0, 0", "3L, 3", "2.0, 2" })
	void permitsMayBeAnyWholeNumber(String expression, int expected) {
		assertThat(parse(expression).evaluatePermits(context(new Account("ada")))).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "1.5", "'3'", "#amounts" })
	void whenPermitsAreNoNumberOfPermitsThenThrows(String expression) {
		assertThatIllegalStateException()
			.isThrownBy(() -> parse(expression).evaluatePermits(context(new Account("ada"))))
			.withMessageStartingWith("Not a number of permits: ")
			.withMessageContaining(expression);
	}

	private Object evaluate(String expression) {
		return parse(expression).evaluate(context(new Account("ada")));
	}

	private CallContext context(Object account) {
		@Nullable Object[] arguments = { account, List.of(5, 7) };
		return new CallContext(SHARED, this.parameters, arguments, Map.of("session", new Session("s1")));
	}

	private MethodExpression parse(String expression) {
		SpelExpressionParser parser = new SpelExpressionParser(
				new SpelParserConfiguration(SpelCompilerMode.MIXED, getClass().getClassLoader()));
		return MethodExpression.parse(parser, expression, this.parameters,
				new AnnotationAttribute(this.method, "@Mutex(\"m\")", "key", expression));
	}

	static class Bank {

		void transfer(Account account, List<Integer> amounts) {
		}

	}

	public static class Account {

		private final String owner;

		Account(String owner) {
			this.owner = owner;
		}

		public String getOwner() {
			return this.owner;
		}

		public Map<String, Integer> getLimits() {
			return Map.of("day", 10);
		}

	}

	public static class Savings {

		private final String owner;

		Savings(String owner) {
			this.owner = owner;
		}

		public String getOwner() {
			return this.owner;
		}

	}

	public record Session(String id) {

	}

}
