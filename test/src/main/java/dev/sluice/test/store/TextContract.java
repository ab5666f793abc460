package dev.sluice.test.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Resources, keys and owners are any text, and no two of them meet. */
interface TextContract extends StoreUnderTest {

	/**
	 * Text of one to four bytes a character, the same letter composed and not, what
	 * protocols use as marks, and surrogates without their other half.
	 */
	List<String> TEXTS = List.of("Müller", "北京", "jose\u0301", "josé", "\uD83D\uDEA6 🚦", "%uD800 {a}:b.1.2} c*",
			"\u0000\r\n", "\uD800", "\uDC00 ?", "?");

	/** Returns the limits of which one permit is held. */
	static Stream<Limit> held() {
		return Stream.of(Limit.mutex(), Limit.semaphore(1));
	}

	@ParameterizedTest
	@EnumSource
	default void rateServesTheLineOfAnyKey(Rate rate) {
		time().align(PERIOD);
		Map<String, Throttle> throttles = throttles(rate.limit(1, PERIOD));
		long end = time().endOf(PERIOD);
		throttles.forEach((text, throttle) -> taken(throttle, text));
		List<CompletableFuture<Permit>> waiting = new ArrayList<>();
		throttles.forEach((text, throttle) -> waiting.add(elsewhere(throttle).acquire(text, 1, LONG)));
		throttles.forEach((text, throttle) -> {
			soon(() -> until(end, () -> assertThat(throttle.state(text).waiting()).isEqualTo(1)));
			until(end,
					() -> assertThat(throttle.snapshot(1).hottest()).extracting(KeyState::key).containsExactly(text));
		});

		time().pass(PERIOD.plus(time().tolerance()));

		waiting.forEach(this::granted);
	}

	@ParameterizedTest
	@MethodSource("dev.sluice.test.store.TextContract#held")
	default void permitIsHandedOverToAnyOwnerOfAnyKey(Limit limit) {
		throttles(limit).forEach((text, throttle) -> {
			Throttle elsewhere = elsewhere(throttle);
			AcquireRequest request = AcquireRequest.of(throttle.resource(), text).maxWait(LONG);
			Permit permit = taken(request.owner("before " + text));
			CompletableFuture<Permit> named = otherNode().acquire(request.owner(text));
			soon(() -> assertThat(throttle.state(text).waiting()).isEqualTo(1));
			CompletableFuture<Permit> unnamed = elsewhere.acquire(text, 1, LONG);
			soon(() -> assertThat(throttle.state(text).waiting()).isEqualTo(2));

			permit.close();

			granted(named);
			assertThat(throttle.snapshot(1).holders()).extracting(Holder::key, Holder::owner)
				.containsExactly(tuple(text, text));
			assertThat(throttle.release(text, text)).isTrue();
			granted(unnamed).close();
			soon(() -> taken(throttle, text));
		});
	}

	@Test
	default void keysOfAnyTextDoNotMeet() {
		Throttle rate = define(Limit.fixedWindow(1, LONG));
		Throttle shared = define(Limit.dynamicWindow(2 * TEXTS.size(), 1, 2, LONG, Rate.BUCKETS));
		Throttle mutex = define(Limit.mutex());

		for (Throttle throttle : List.of(rate, shared, mutex)) {
			TEXTS.forEach((text) -> taken(throttle, text));
			assertThat(throttle.snapshot(2 * TEXTS.size()).hottest()).extracting(KeyState::key)
				.containsExactlyInAnyOrderElementsOf(TEXTS);
		}
	}

	@Test
	default void resourcesOfAnyTextDoNotMeet() {
		List<Throttle> throttles = List.copyOf(throttles(Limit.fixedWindow(1, LONG)).values());
		List<Throttle> elsewhere = throttles.stream().map(this::elsewhere).toList();
		for (int i = 0; i < throttles.size(); i++) {
			taken(throttles.get(i), "k");
			change(throttles.get(i), Limit.fixedWindow(2 + i, LONG));
		}

		for (int i = 0; i < throttles.size(); i++) {
			Limit changed = Limit.fixedWindow(2 + i, LONG);
			Throttle throttle = elsewhere.get(i);
			soon(() -> assertThat(throttle.limit()).isEqualTo(changed));
			taken(throttle, "k", 1 + i);
			rejected(throttles.get(i), "k", 1);
		}
	}

	@Test
	default void ownersOfAnyTextDoNotMeet() {
		Throttle semaphore = define(Limit.semaphore(TEXTS.size()));
		AcquireRequest request = AcquireRequest.of(semaphore.resource(), "k");

		TEXTS.forEach((text) -> taken(request.owner(text)));

		rejected(semaphore, "k", 1);
		assertThat(semaphore.snapshot(2 * TEXTS.size()).holders()).extracting(Holder::owner)
			.containsExactlyInAnyOrderElementsOf(TEXTS);
		TEXTS.forEach((text) -> assertThat(elsewhere(semaphore).release("k", text)).isTrue());
		taken(semaphore, "k", TEXTS.size());
	}

	/** Defines a limit for each text, with which its name begins. */
	private Map<String, Throttle> throttles(Limit limit) {
		String unique = "-" + UUID.randomUUID();
		Map<String, Throttle> throttles = new LinkedHashMap<>();
		TEXTS.forEach((text) -> throttles.put(text, define(text + unique, limit, LimitOptions.defaults())));
		return throttles;
	}

}
