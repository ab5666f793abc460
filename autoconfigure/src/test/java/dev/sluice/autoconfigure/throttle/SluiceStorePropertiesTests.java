package dev.sluice.autoconfigure.throttle;

import java.time.Duration;
import java.util.Map;

import dev.sluice.autoconfigure.throttle.SluiceStoreProperties.Type;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceStorePropertiesTests {

	@Test
	void whenNoPropertyOfAStoreIsSetThenItsDefaultsAreBoundOnDemand() {
		SluiceStoreProperties properties = bind(Map.of("type", "redis"));
		assertThat(properties).isEqualTo(new SluiceStoreProperties(Type.REDIS, null, null));
		assertThat(properties.redis().lease()).isEqualTo(Duration.ofSeconds(30));
		assertThat(properties.jdbc().poolSize()).isEqualTo(4);
	}

	@Test
	void whenOnePropertyOfAStoreIsSetThenTheOthersHaveTheirDefaults() {
		SluiceStoreProperties properties = bind(Map.of("redis.batch", "2", "jdbc.schema", "limits"));
		assertThat(properties.redis().batch()).isEqualTo(2);
		assertThat(properties.redis().keyPrefix()).isEqualTo("sluice:");
		assertThat(properties.jdbc().schema()).isEqualTo("limits");
		assertThat(properties.jdbc().listen()).isTrue();
	}

	private static SluiceStoreProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("", SluiceStoreProperties.class);
	}

}
