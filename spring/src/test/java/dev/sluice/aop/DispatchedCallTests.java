package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DispatchedCallTests {

	private static final Object[] NO_ARGUMENTS = {};

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final ThrottleGate gate = ThrottleGate.builder(this.manager).build();

	private final Service service = Proxies.limited(new Service(), this.gate);

	private final Method method = method("call");

	@Test
	void whatTheGateGuardsIsKnownBeforeItsLimitIs() {
		assertThat(this.gate.guards(this.method, Service.class)).isTrue();
		assertThat(this.gate.guards(method("free"), Service.class)).isFalse();
		assertThat(this.manager.find("rate")).isEmpty();
	}

	@Test
	void whatIsNotLimitedCannotBeCalled() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.gate.call(method("free"), this.service, NO_ARGUMENTS, Map.of(), () -> null))
			.withMessageStartingWith("Nothing limits");
	}

	@Test
	void theAdvisorLetsABoundCallPass() {
		assertThat(callBound(() -> assertThat(this.service.call()).isEqualTo("done"))).isOne();
	}

	@Test
	void theAdvisorLetsOnlyOneCallPass() {
		assertThat(callBound(() -> {
			this.service.call();
			this.service.call();
		})).isEqualTo(2);
	}

	@Test
	void theAdvisorLetsNoOtherMethodPass() {
		assertThat(callBound(this.service::other)).isEqualTo(2);
	}

	@Test
	void theAdvisorLetsNoLaterCallPass() {
		callBound(() -> {
		});
		this.service.call();
		assertThat(used()).isEqualTo(2);
	}

	@Test
	void aBoundCallWithinAnotherLeavesThatBound() {
		assertThat(callBound(() -> {
			callBound(this.service::call);
			this.service.call();
		})).isEqualTo(2);
	}

	private int callBound(Runnable body) {
		assertThat(this.gate.callBound(this.method, this.service, NO_ARGUMENTS, Map.of(), () -> {
			body.run();
			return null;
		})).succeedsWithin(0, TimeUnit.SECONDS);
		return used();
	}

	private int used() {
		return this.manager.get("rate").state("").used();
	}

	private static Method method(String name) {
		Method method = ReflectionUtils.findMethod(Service.class, name);
		assertThat(method).isNotNull();
		return method;
	}

	static class Service {

		@Throttled(value = "rate", limit = 10, period = "1h")
		String call() {
			return "done";
		}

		@Throttled(value = "rate", limit = 10, period = "1h")
		void other() {
		}

		void free() {
		}

	}

}
