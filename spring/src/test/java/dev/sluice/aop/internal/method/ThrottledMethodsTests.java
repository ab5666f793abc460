package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.sluice.annotation.Throttled;
import dev.sluice.aop.spi.DeferredResults;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottledMethodsTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final ThrottledMethods methods = new ThrottledMethods(this.manager, (text) -> text, ThrottlePolicy.DEFAULTS,
			null, DeferredResults.NONE, (throttle) -> {
			});

	@BeforeEach
	void define() {
		this.manager.addOrUpdate("one", Limit.fixedWindow(1, Duration.ofHours(1)));
		this.manager.addOrUpdate("other", Limit.fixedWindow(1, Duration.ofHours(1)));
	}

	@Test
	void methodsThatHaveTheSamePlaceAreToldApart() throws NoSuchMethodException {
		Method one = method("one");
		Method other = sharingThePlaceOf(one, "other");
		Method plain = sharingThePlaceOf(one, "plain");
		for (int i = 0; i < 3; i++) {
			assertThat(this.methods.find(one, Limited.class)).hasToString("'one'");
			assertThat(this.methods.find(other, Limited.class)).hasToString("'other'");
			assertThat(this.methods.find(plain, Limited.class)).isNull();
		}
	}

	@Test
	void aMethodOfSeveralClassesIsToldApart() throws NoSuchMethodException {
		Method one = method("one");
		for (int i = 0; i < 3; i++) {
			assertThat(this.methods.find(one, Limited.class)).hasToString("'one'");
			assertThat(this.methods.find(one, Overriding.class)).hasToString("'other'");
		}
	}

	/** Each look-up makes another object, whose identity is as good as drawn by lot. */
	private static Method sharingThePlaceOf(Method method, String name) throws NoSuchMethodException {
		Map<Integer, Method> found = new HashMap<>();
		while (!found.containsKey(place(method))) {
			Method another = method(name);
			found.put(place(another), another);
		}
		return found.get(place(method));
	}

	private static int place(Method method) {
		return System.identityHashCode(method) & 255;
	}

	private static Method method(String name) throws NoSuchMethodException {
		return Limited.class.getDeclaredMethod(name);
	}

	static class Limited {

		@Throttled("one")
		void one() {
		}

		@Throttled("other")
		void other() {
		}

		void plain() {
		}

	}

	static class Overriding extends Limited {

		@Override
		@Throttled("other")
		void one() {
		}

	}

}
