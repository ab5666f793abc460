package dev.sluice.benchmarks.annotations;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aop.framework.Advised;

import static org.assertj.core.api.Assertions.assertThat;

/** A contender that nothing stands before would win benchmarks. */
@Timeout(60)
class ContenderTests {

	@ParameterizedTest
	@EnumSource
	void callsTheBeanBehindItsAdvice(Contender contender) {
		Quotes quotes = contender.create();
		assertThat(quotes).isInstanceOf(Advised.class);
		assertThat(((Advised) quotes).getAdvisorCount()).isPositive();
		assertThat(quotes.quote(new User("u1"), 40)).isEqualTo(42);
	}

}
