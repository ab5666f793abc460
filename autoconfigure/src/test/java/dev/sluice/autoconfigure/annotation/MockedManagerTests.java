package dev.sluice.autoconfigure.annotation;

import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/** Tests of an application may replace the manager of the limits. */
class MockedManagerTests {

	@ParameterizedTest
	@ValueSource(classes = { Named.class, Defined.class })
	void aMockThatFindsNoLimitStopsTheStartWithTheRemedy(Class<?> limited) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluicePropertiesAutoConfiguration.class,
					SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class))
			.withBean(limited)
			.withBean(ThrottlingManager.class, () -> mock())
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).contains("@Throttled(\"counts\")", "Mock")
					.contains("replace @MockitoBean by @MockitoSpyBean");
			});
	}

	static class Named {

		@Throttled("counts")
		void count() {
		}

	}

	static class Defined {

		@Throttled(value = "counts", limit = 1, period = "1h")
		void count() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
			SluiceAnnotationsAutoConfiguration.class })
	static class Application {

	}

	/** The spy decides as the manager does. */
	@Nested
	@SpringJUnitConfig
	class SpyTests {

		@MockitoSpyBean
		private ThrottlingManager manager;

		@Autowired
		private Defined defined;

		@Test
		void aSpyLimits() {
			this.defined.count();
			verify(this.manager, atLeastOnce()).find("counts");
			assertThat(this.manager.get("counts").limit()).isNotNull();
		}

		@Configuration(proxyBeanMethods = false)
		@Import({ Application.class, Defined.class })
		static class Limited {

		}

	}

	/** Without annotations, a mock needs no answers. */
	@Nested
	@SpringJUnitConfig
	class MockTests {

		@MockitoBean
		private ThrottlingManager manager;

		@Test
		void aMockIsInjected() {
			assertThat(this.manager.find("counts")).isEmpty();
		}

		@Configuration(proxyBeanMethods = false)
		@Import(Application.class)
		static class Plain {

		}

	}

}
