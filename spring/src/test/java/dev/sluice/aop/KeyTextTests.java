package dev.sluice.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Keys and owners of calls, as their limits get them. */
class KeyTextTests {

	private static final String[] TEXTS = { "", "a", "b", "a, b", ", ", ",", "[", "]", "[a]", "[]", "{}", "()", "(a)",
			"\\", "\\e", "\\null", "null", "=", "a=b", "Pair(a, b)", "Pair", "1", "{a}" };

	private final AtomicReference<String> key = new AtomicReference<>();

	private final ThrottlingManager manager = ThrottlingManager.builder().listener(new ThrottleListener() {

		@Override
		public void admitted(String resource, String key, int permits, long waitNanos) {
			KeyTextTests.this.key.set(key);
		}

	}).build();

	private final Service service = service();

	private Service service() {
		this.manager.addOrUpdate("rate", Limit.tokenBucket(1_000_000, 1_000_000, Duration.ofSeconds(1)));
		return Proxies.limited(new Service(), ThrottleGate.builder(this.manager).build());
	}

	@Test
	void argumentsHaveOneKeyExactlyIfTheirContentIsEqual() {
		Random random = new Random(36);
		Map<Object, String> keys = new HashMap<>();
		Map<String, Object> contents = new HashMap<>();
		for (int i = 0; i < 9_000; i++) {
			Object first = value(random, 2);
			Object second = value(random, 2);
			Object content = Arrays.asList(content(first), content(second));
			this.service.both(first, second);
			String key = this.key.get();

			assertThat(keys.computeIfAbsent(content, (ignored) -> key)).as("key of %s", content).isEqualTo(key);
			assertThat(contents.computeIfAbsent(key, (ignored) -> content)).as("content of %s", key).isEqualTo(content);
		}
	}

	@ParameterizedTest
	@MethodSource
	void singleValuesAndListsOfThemAreReadable(Object value, String text) {
		this.service.one(value);

		assertThat(this.key).hasValue(text);
	}

	static Object[][] singleValuesAndListsOfThemAreReadable() {
		return new Object[][] { { "a, b", "a, b" }, { "[a]", "[a]" }, { "", "" }, { 7L, "7" },
				{ Duration.ofHours(1), "PT1H" }, { new Named("x"), "named x" }, { List.of("a", 1), "[a, 1]" },
				{ new byte[] { 1, -2 }, "[1, -2]" }, { new Pair("a", "b"), "Pair(a, b)" },
				{ List.of(new Named("x")), "[named x]" } };
	}

	@Test
	void variableArgumentsAreComparedByContent() {
		this.service.several("a", "b, c");
		String first = this.key.get();
		this.service.several("a, b", "c");
		String second = this.key.get();
		this.service.several("a", "b, c");

		assertThat(this.key).hasValue(first);
		assertThat(second).isNotEqualTo(first);
	}

	@ParameterizedTest
	@MethodSource("withoutContent")
	void valueWithoutContentIsRejectedWithItsAttribute(Object value) {
		assertThatIllegalStateException().isThrownBy(() -> this.service.one(value))
			.withMessageContaining("'key = \"#value\"' of @Throttled(\"rate\") on KeyTextTests.Service.one")
			.withMessageContaining("java.lang.Object has no toString method")
			.withMessageContaining("#order.id");
		assertThatIllegalStateException().isThrownBy(() -> this.service.owned(value))
			.withMessageContaining("'owner = \"#value\"' of @Mutex(\"order\")");
	}

	static Object[] withoutContent() {
		return new Object[] { new Object(), List.of("a", new Object()), new Object[] { new Object() },
				Map.of("a", new Object()), Optional.of(new Object()), new Pair("a", new Object()) };
	}

	@Test
	void valueThatContainsItselfIsRejectedWithItsAttribute() {
		List<Object> list = new ArrayList<>();
		list.add(list);

		assertThatIllegalStateException().isThrownBy(() -> this.service.one(list))
			.withMessageContaining("'key = \"#value\"' of @Throttled(\"rate\")")
			.withMessageContaining("contains itself");
	}

	/** Returns a value, or none. */
	private static @Nullable Object value(Random random, int depth) {
		switch (random.nextInt((depth > 0) ? 12 : 4)) {
			case 0 -> {
				return null;
			}
			case 1 -> {
				return random.nextInt(3);
			}
			case 4 -> {
				return values(random, depth).toArray();
			}
			case 5 -> {
				return values(random, depth).stream().map(String::valueOf).toArray(String[]::new);
			}
			case 6 -> {
				return IntStream.range(0, random.nextInt(3)).map((i) -> random.nextInt(3)).toArray();
			}
			case 7 -> {
				return List.of(new byte[] { (byte) random.nextInt(3) }, new byte[random.nextInt(2)]);
			}
			case 8 -> {
				return new LinkedHashSet<>(values(random, depth).stream().map(String::valueOf).toList());
			}
			case 9 -> {
				Map<Object, @Nullable Object> map = new HashMap<>();
				values(random, depth).forEach((value) -> map.put(String.valueOf(value), value(random, depth - 1)));
				return map;
			}
			case 10 -> {
				return Optional.ofNullable(value(random, depth - 1));
			}
			case 11 -> {
				return new Pair(value(random, depth - 1), value(random, depth - 1));
			}
			default -> {
				return TEXTS[random.nextInt(TEXTS.length)];
			}
		}
	}

	private static List<@Nullable Object> values(Random random, int depth) {
		List<@Nullable Object> values = new ArrayList<>();
		for (int i = random.nextInt(3); i > 0; i--) {
			values.add(value(random, depth - 1));
		}
		return values;
	}

	/** Returns what is equal exactly if the content is, without regard to texts. */
	private static Object content(@Nullable Object value) {
		if (value instanceof Object[] array) {
			return content(Arrays.asList(array));
		}
		if (value instanceof int[] array) {
			return content(Arrays.stream(array).boxed().toList());
		}
		if (value instanceof byte[] array) {
			return content(IntStream.range(0, array.length).mapToObj((i) -> array[i]).toList());
		}
		if (value instanceof Set<?> set) {
			return set.stream().map(KeyTextTests::content).collect(Collectors.toSet());
		}
		if (value instanceof Collection<?> list) {
			return list.stream().map(KeyTextTests::content).toList();
		}
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.collect(Collectors.toMap((entry) -> content(entry.getKey()), (entry) -> content(entry.getValue())));
		}
		if (value instanceof Optional<?> optional) {
			return Optional.of(optional.map(KeyTextTests::content));
		}
		if (value instanceof Pair pair) {
			return new Pair(content(pair.first()), content(pair.second()));
		}
		return (value != null) ? value.toString() : Void.class;
	}

	private record Pair(@Nullable Object first, @Nullable Object second) {
	}

	private record Named(String name) {

		@Override
		public String toString() {
			return "named " + this.name;
		}

	}

	static class Service {

		@Throttled(value = "rate", key = "{#first, #second}")
		public void both(@Nullable Object first, @Nullable Object second) {
		}

		@Throttled(value = "rate", key = "#value")
		public void one(Object value) {
		}

		@Throttled(value = "rate", key = "#values")
		public void several(String... values) {
		}

		@Mutex(value = "order", owner = "#value")
		public void owned(Object value) {
		}

	}

}
