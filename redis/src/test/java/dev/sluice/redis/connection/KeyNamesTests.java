package dev.sluice.redis.connection;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyNamesTests {

	private final KeyNames names = new KeyNames("sluice:");

	@ParameterizedTest
	@ValueSource(strings = { "", "k", "a:b", "}{", "%7D", "%", ":line", "\u0000", "Müller", "北京", "\uD83D\uDEA6",
			"\uD800", "a\uDC00%uDC00", "\uDC00\uD800" })
	void stateTellsItsLimitAndKey(String text) {
		String resource = "r" + text;
		String state = this.names.state(resource, text);

		assertThat(this.names.resourceOf(state)).isEqualTo(resource);
		assertThat(this.names.keyOf(resource, state)).isEqualTo(text);
		for (String part : List.of(this.names.keysOf(resource, text)[1], this.names.sharingKeysOf(resource, text)[0],
				this.names.sharingKeysOf(resource, text)[2])) {
			assertThat(this.names.resourceOf(part)).isEqualTo(resource);
			assertThat(this.names.keyOf(resource, part)).isEqualTo(text);
		}
		assertThat(this.names.resourceOf(this.names.shared(resource))).isEqualTo(resource);
	}

	@Test
	void allKeysOfAStateHaveItsHashTag() {
		assertThat(this.names.keysOf("a}b", "c{d}")).containsExactly("sluice:{a%7Db:c%7Bd%7D}",
				"sluice:{a%7Db:c%7Bd%7D}:line", "sluice:{a%7Db:c%7Bd%7D}:nodes");
	}

	@Test
	void textThatIsNotWellFormedIsWrittenSo() {
		assertThat(this.names.state("\uD800", "\uD83D\uDEA6\uDC00")).isEqualTo("sluice:{%uD800:\uD83D\uDEA6%uDC00}");
	}

	@Test
	void allKeysOfADynamicWindowHaveOneHashTag() {
		assertThat(this.names.sharingKeysOf("a}b", "c{d}")).allMatch((name) -> name.startsWith("sluice:{a%7Db}"))
			.doesNotHaveDuplicates()
			.hasSize(7);
	}

	@Test
	void limitsWhoseNamesAreAlikeDoNotMeet() {
		assertThat(this.names.state("a:b", "c")).isNotEqualTo(this.names.state("a", "b:c"));
		assertThat(this.names.states("a*")).isEqualTo("sluice:{a\\*:*}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void aPrefixIsNotEmpty(String prefix) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyNames.checkPrefix(prefix))
			.withMessageStartingWith("'keyPrefix' must not be empty");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{a", "a}", "{a}:" })
	void aPrefixDoesNotMarkTheSlot(String prefix) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyNames.checkPrefix(prefix))
			.withMessage("'keyPrefix' must not contain braces: " + prefix);
	}

}
