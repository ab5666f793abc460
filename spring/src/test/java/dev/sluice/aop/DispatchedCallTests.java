package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
	void theAdvisorLetsAnAdmittedCallPass() {
		assertThat(admit(() -> assertThat(this.service.call()).isEqualTo("done"))).isOne();
	}

	@Test
	void theAdvisorLetsOnlyOneCallPass() {
		assertThat(admit(() -> {
			this.service.call();
			this.service.call();
		})).isEqualTo(2);
	}

	@Test
	void theAdvisorLetsNoOtherMethodPass() {
		assertThat(admit(this.service::other)).isEqualTo(2);
	}

	@Test
	void theAdvisorLetsNoLaterCallPass() {
		admit(() -> {
		});
		this.service.call();
		assertThat(used()).isEqualTo(2);
	}

	@Test
	void anAdmissionWithinAnotherLeavesThatBound() {
		assertThat(admit(() -> {
			admit(this.service::call);
			this.service.call();
		})).isEqualTo(2);
	}

	@Test
	void theAdvisorRefusesACallAsItsAdmissionDoes() {
		Method single = method("single");
		Permit held = this.manager.addOrUpdate("single", Limit.semaphore(1)).tryAcquire().permit();
		CompletableFuture<Admission> admitting = this.gate.admit(single, this.service, NO_ARGUMENTS, Map.of());
		held.close();
		admitting.join()
			.run(() -> assertThatExceptionOfType(ThrottledException.class).isThrownBy(this.service::single));
		assertThat(this.service.single()).isEqualTo("done");
	}

	@Test
	void permitsThatNoCallTookAreGivenBack() {
		Method single = method("single");
		this.manager.addOrUpdate("single", Limit.semaphore(1));
		this.gate.admit(single, this.service, NO_ARGUMENTS, Map.of()).join().run(() -> {
		});
		assertThat(this.service.single()).isEqualTo("done");
	}

	@Test
	void whoLeavesTheLineGetsNoPermit() {
		Method patient = method("patient");
		Permit held = this.manager.addOrUpdate("single", Limit.semaphore(1)).tryAcquire().permit();
		CompletableFuture<Admission> admitting = this.gate.admit(patient, this.service, NO_ARGUMENTS, Map.of());
		assertThat(admitting).isNotDone();
		admitting.cancel(false);
		held.close();
		assertThat(this.service.single()).isEqualTo("done");
	}

	private int admit(Runnable body) {
		this.gate.admit(this.method, this.service, NO_ARGUMENTS, Map.of()).join().run(body);
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

		@Semaphore("single")
		String single() {
			return "done";
		}

		@Semaphore("single")
		@WhenThrottled(action = Action.WAIT, maxWait = "1h")
		String patient() {
			return "done";
		}

		void free() {
		}

	}

}
