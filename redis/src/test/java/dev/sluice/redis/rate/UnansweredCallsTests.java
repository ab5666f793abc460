package dev.sluice.redis.rate;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class UnansweredCallsTests {

	private final UnansweredCalls calls = new UnansweredCalls();

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void callThatHasEndedIsNamedNoMore(int ended) {
		List<String> names = Stream.generate(this.calls::next).limit(3).toList();
		names.forEach((name) -> this.calls.begin("k", name));
		String next = this.calls.next();

		this.calls.end("k", names.get(ended));

		List<String> expected = Stream.concat(names.stream(), Stream.of(next))
			.filter((name) -> !name.equals(names.get(ended)))
			.toList();
		assertThat(this.calls.begin("k", next).split(" ")).containsExactlyElementsOf(expected);
	}

	@Test
	void onceAllHaveEndedACallIsNamedAlone() {
		List<String> names = Stream.generate(this.calls::next).limit(3).toList();
		names.forEach((name) -> this.calls.begin("k", name));

		List.of(names.get(1), names.get(2), names.get(0)).forEach((name) -> this.calls.end("k", name));

		String next = this.calls.next();
		assertThat(this.calls.begin("k", next)).isEqualTo(next);
	}

}
