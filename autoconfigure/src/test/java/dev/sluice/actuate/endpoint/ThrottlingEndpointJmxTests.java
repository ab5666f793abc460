package dev.sluice.actuate.endpoint;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import javax.management.MBeanException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ThrottlingEndpointJmxTests {

	private static final String ENDPOINT = "org.springframework.boot:type=Endpoint,name=Throttling";

	private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, JacksonAutoConfiguration.class,
				EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
				JmxEndpointAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceEndpointAutoConfiguration.class))
		.withBean(ThrottlingManager.class, () -> this.limits)
		.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=throttling");

	@Test
	void keysAndOwnersAreHidden() {
		useCommandsAndHoldAnOrder();
		this.contextRunner.run((context) -> assertThat(invoke("throttling")).asString()
			.contains("commands", "******")
			.doesNotContain("alice", "batch-1", "o-1"));
	}

	@Test
	void keysAndOwnersAreShownWhenAlways() {
		useCommandsAndHoldAnOrder();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.show-keys=always")
			.run((context) -> assertThat(invoke("throttling")).asString().contains("alice", "batch-1", "o-1"));
	}

	@Test
	void withoutAccessThereAreOnlyReads() {
		this.contextRunner.run((context) -> assertThat(this.server.getMBeanInfo(endpoint()).getOperations())
			.extracting(MBeanOperationInfo::getName)
			.containsExactlyInAnyOrder("throttling", "part"));
	}

	@Test
	void aLimitIsChanged() {
		useCommandsAndHoldAnOrder();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.access=UNRESTRICTED").run((context) -> {
			assertThat(invoke("change", Map.of("kind", "throttles", "name", "commands", "limit", "3"))).asString()
				.contains("limit=3");
			assertThat(this.limits.get("commands").limit().limit()).isEqualTo(3);
		});
	}

	@Test
	void anOwnerIsReleased() {
		useCommandsAndHoldAnOrder();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.access=UNRESTRICTED").run((context) -> {
			invoke("delete", Map.of("kind", "throttles", "name", "order", "owner", "batch-1"));
			assertThat(this.limits.get("order").snapshot(0).held()).isZero();
		});
	}

	@Test
	void whatIsRefusedSaysWhy() {
		useCommandsAndHoldAnOrder();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.access=UNRESTRICTED")
			.run((context) -> assertThatExceptionOfType(MBeanException.class)
				.isThrownBy(() -> invoke("change", Map.of("kind", "throttles", "name", "commands", "limit", "0")))
				.withMessage("'limit' must be greater than 0: 0"));
	}

	private void useCommandsAndHoldAnOrder() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofHours(1))).tryAcquire("alice");
		this.limits.addOrUpdate("order", Limit.mutex());
		this.limits.tryAcquire(AcquireRequest.of("order", "o-1").owner("batch-1"));
	}

	private @Nullable Object invoke(String operation) throws Exception {
		return invoke(operation, Map.of());
	}

	private @Nullable Object invoke(String operation, Map<String, String> arguments) throws Exception {
		MBeanOperationInfo info = Arrays.stream(this.server.getMBeanInfo(endpoint()).getOperations())
			.filter((candidate) -> candidate.getName().equals(operation))
			.findFirst()
			.orElseThrow();
		Object[] values = Arrays.stream(info.getSignature())
			.map((parameter) -> arguments.get(parameter.getName()))
			.toArray();
		String[] types = Arrays.stream(info.getSignature())
			.map((parameter) -> parameter.getType())
			.toArray(String[]::new);
		return this.server.invoke(endpoint(), operation, values, types);
	}

	private static ObjectName endpoint() throws Exception {
		return new ObjectName(ENDPOINT);
	}

}
