package dev.sluice.test.trial;

import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Hostile names of limits, keys and owners in a store: the call rejects a name with the
 * bound that it exceeds, or another node reads each text back equal, and two texts that
 * are nearly the same share nothing. A text over 256 characters is read back as the
 * digest that {@link AcquireRequest} has in its place.
 */
public interface HostileKeysContract {

	/** A period in which no permit is refilled. */
	Duration LONG = Duration.ofDays(1);

	/** Names that two tests may not use at a time. */
	String NAMES = "hostile names";

	List<Limit> LIMITS = List.of(Limit.fixedWindow(2, LONG), Limit.mutex(), Limit.slidingLog(2, LONG),
			Limit.semaphore(2), Limit.slidingWindow(2, LONG, 4), Limit.dynamicWindow(4, 1, 2, LONG, 4),
			Limit.tokenBucket(2, 2, LONG));

	/** Returns a node. */
	ThrottlingManager node();

	/** Returns another node over the same store. */
	ThrottlingManager otherNode();

	/** Returns the time within which another node must have seen a change. */
	Duration patience();

	/** Returns whether a node of this store may acquire permits in batches. */
	default boolean batches() {
		return false;
	}

	@Test
	@ResourceLock(NAMES)
	default void hostileTextsAreRejectedOrReadBackByAnotherNode() {
		attack(49);
	}

	@Tag("full")
	@Test
	@ResourceLock(NAMES)
	default void manyHostileTextsAreRejectedOrReadBackByAnotherNode() {
		attack(210);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		for (int number = 0; number < times; number++) {
			Limit limit = LIMITS.get(number % LIMITS.size());
			LimitOptions options = LimitOptions.builder().batch(batches(limit) && values.oneIn(2) ? 4 : 1).build();
			String resource = values.text(104);
			if (resource.isEmpty() || resource.length() > 100) {
				assertThatIllegalArgumentException().isThrownBy(() -> node().addOrUpdate(resource, limit, options))
					.withMessageContaining(resource.isEmpty() ? "'resource' must not be empty" : "100");
				continue;
			}
			try {
				attack(resource, limit, options, values);
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError(
						"Seed " + values.seed() + ", " + limit + " of '" + printable(resource) + "': " + ex, ex);
			}
		}
	}

	private boolean batches(Limit limit) {
		return batches() && !limit.isHeld();
	}

	private void attack(String resource, Limit limit, LimitOptions options, HostileValues values) {
		String near = near(resource, values, 100);
		Throttle throttle = node().addOrUpdate(resource, limit, options);
		Throttle other = node().addOrUpdate(near, Limit.fixedWindow(7, LONG));
		Throttle elsewhere = otherNode().get(resource);
		assertThat(elsewhere).extracting(Throttle::resource, Throttle::limit, Throttle::options)
			.containsExactly(resource, limit, options);
		assertThat(otherNode().get(near)).extracting(Throttle::resource, Throttle::limit)
			.containsExactly(near, other.limit());
		assertThat(otherNode().throttles()).contains(elsewhere, otherNode().get(near));
		String key = values.text(values.oneIn(8) ? 100_000 : 300);
		if (limit.isHeld()) {
			hold(throttle, elsewhere, key, near(key, values, Integer.MAX_VALUE), values);
		}
		else {
			use(throttle, elsewhere, key, near(key, values, Integer.MAX_VALUE));
		}
		assertThat(node().remove(resource)).isTrue();
		if (values.oneIn(16)) {
			soon(() -> otherNode().find(resource).isEmpty());
		}
		assertThat(otherNode().get(near).limit()).isEqualTo(other.limit());
		assertThat(node().remove(near)).isTrue();
	}

	private void use(Throttle throttle, Throttle elsewhere, String key, String near) {
		assertThat(throttle.tryAcquire(key, 2).admitted()).isTrue();

		assertThat(elsewhere.tryAcquire(key).admitted()).as("shared by both nodes").isFalse();
		assertThat(elsewhere.state(key)).extracting(KeyState::key, KeyState::used).containsExactly(stored(key), 2);
		listed(() -> assertThat(elsewhere.snapshot(9).hottest()).extracting(KeyState::key)
			.containsExactly(stored(key)));
		assertThat(elsewhere.state(near).used()).isZero();
		assertThat(elsewhere.tryAcquire(near, 2).admitted()).isTrue();
		listed(() -> assertThat(throttle.snapshot(9).hottest()).extracting(KeyState::key)
			.containsExactlyInAnyOrder(stored(key), stored(near)));
		assertThat(elsewhere.forget(key)).isTrue();
		assertThat(throttle.state(key).used()).isZero();
		assertThat(throttle.state(near).used()).isEqualTo(2);
	}

	private void hold(Throttle throttle, Throttle elsewhere, String key, String near, HostileValues values) {
		String owner = values.text(values.oneIn(8) ? 100_000 : 300);
		String stranger = near(owner, values, Integer.MAX_VALUE);
		AcquireRequest request = AcquireRequest.of(throttle.resource(), key).maxWait(LONG);
		int permits = throttle.limit().limit();
		assertThat(node().tryAcquire(request.owner(owner).permits(permits)).admitted()).isTrue();

		assertThat(otherNode().tryAcquire(request.owner(stranger)).admitted()).isFalse();
		Holder holder = elsewhere.state(key).oldestHolder().orElseThrow();
		assertThat(holder).extracting(Holder::key, Holder::owner, Holder::permits)
			.containsExactly(stored(key), stored(owner), permits);
		assertThat(elsewhere.state(near).used()).isZero();
		assertThat(otherNode().tryAcquire(AcquireRequest.of(throttle.resource(), near).owner(owner)).admitted())
			.isTrue();
		listed(() -> assertThat(throttle.snapshot(9).holders()).extracting(Holder::key, Holder::owner)
			.containsExactlyInAnyOrder(tuple(stored(key), stored(owner)), tuple(stored(near), stored(owner))));
		assertThat(throttle.release(near, owner)).isTrue();
		CompletableFuture<Permit> waiting = otherNode().acquire(request.owner(stranger));
		soon(() -> throttle.state(key).waiting() == 1);
		assertThat(throttle.release(key, stranger)).isFalse();
		assertThat(elsewhere.release(key, owner)).isTrue();

		assertThat(waiting).succeedsWithin(patience());
		listed(() -> assertThat(throttle.snapshot(9).holders()).extracting(Holder::key, Holder::owner)
			.containsExactly(tuple(stored(key), stored(stranger))));
		assertThat(throttle.release(key, stranger)).isTrue();
	}

	/** A snapshot is empty while its store does not answer in time. */
	private void listed(ThrowingRunnable assertion) {
		await().atMost(patience()).pollDelay(Duration.ZERO).untilAsserted(assertion);
	}

	private void soon(Callable<Boolean> condition) {
		await().atMost(patience()).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(condition);
	}

	/** Returns what a key or owner is after the call. */
	private static String stored(String text) {
		return AcquireRequest.of("any", text).key();
	}

	/** Returns another text, which codecs tend to confuse with the first. */
	private static String near(String text, HostileValues values, int maxLength) {
		String unpaired = text.replaceFirst("[\ud800-\udfff]", "?");
		List<String> all = List.of(HostileValues.utf8(text), unpaired, text.replaceFirst("[\ud800-\udfff]", "\ufffd"),
				text.replaceFirst("\ud800", "%uD800"), text.replaceFirst("%", "%25"), text.replaceFirst("\\{", "%7B"),
				text.replaceFirst("%7B", "{"), Normalizer.normalize(text, Normalizer.Form.NFC), text.strip(),
				text.replaceFirst("\u0000", ""), text.replaceFirst("\u0000", "\\\\u0000"), text + "\u0000", text + ' ',
				text + ':', text + '}', text + "}:line", text.isEmpty() ? "x" : text.substring(0, text.length() - 1),
				text.replaceFirst("Z", "z"), text + '\ud800', '\udc00' + text);
		int start = values.next(all.size());
		for (int index = 0; index < all.size(); index++) {
			String other = all.get((start + index) % all.size());
			if (!other.equals(text) && !other.isEmpty() && other.length() <= maxLength) {
				return other;
			}
		}
		return UUID.randomUUID().toString();
	}

	private static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		text.chars().forEach((unit) -> {
			if (unit > ' ' && unit < 127) {
				printable.append((char) unit);
			}
			else {
				printable.append("\\u%04x".formatted(unit));
			}
		});
		return printable.toString();
	}

}
