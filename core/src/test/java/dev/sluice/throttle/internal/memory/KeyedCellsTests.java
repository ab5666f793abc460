package dev.sluice.throttle.internal.memory;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KeyedCellsTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "a" })
	void keyThatTwoMakeAtTheSameTimeCountsOnce(String key) {
		KeyedCells<Cell> keys = new KeyedCells<>();
		keys.reserve(key, 2);
		keys.reserve(key, 2);

		keys.putIfAbsent(key, new EmptyCell());
		keys.putIfAbsent(key, new EmptyCell());

		assertThat(keys.size()).isEqualTo(1);
		assertThat(keys.reserve("b", 1)).isEqualTo(key.isEmpty());
	}

	private static final class EmptyCell extends Cell {

	}

}
