package dev.sluice.autoconfigure.batch;

import java.util.List;

import dev.sluice.autoconfigure.BatchConsumerCustomizer;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.time.NanoClock;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for batches: a {@link BatchConsumer} with the qualifier of its name
 * for each method with {@link dev.sluice.annotation.BatchListener} and each
 * {@link dev.sluice.batch.BatchPump} bean. The consumers use the {@link NanoClock} bean,
 * if present.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceThrottlingAutoConfiguration.class)
@ConditionalOnSwitch("sluice.enabled")
@EnableConfigurationProperties(SluiceBatchProperties.class)
public final class SluiceBatchAutoConfiguration {

	@Bean(defaultCandidate = false)
	static BatchTargets sluiceBatchTargets() {
		return new BatchTargets();
	}

	@Bean(defaultCandidate = false)
	Batches sluiceBatches(@Qualifier("sluiceBatchTargets") BatchTargets targets, SluiceBatchProperties properties,
			ObjectProvider<BatchConsumerCustomizer> customizers, ObjectProvider<NanoClock> clock,
			ObjectProvider<LifecycleProperties> lifecycle, Environment environment, BeanFactory beans) {
		properties.checkNames(targets.all().stream().map(BatchTarget::batch).toList());
		Batches batches = new Batches(beans,
				BatchStopTimes.of(lifecycle.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase()));
		List<BatchConsumerCustomizer> all = customizers.orderedStream().toList();
		for (BatchTarget target : targets.all()) {
			String name = target.batch();
			BatchProperties options = properties.of(name);
			BatchConsumer.Builder<Object> builder = options.builder()
				.errorHandler((items, slot, failure) -> NamedBatch.givenUp(name, items.size(), slot, failure));
			clock.ifAvailable(builder::clock);
			all.forEach((customizer) -> customizer.customize(name, builder));
			batches.add(name, new NamedBatch(target, workers(name, options, environment), builder));
		}
		return batches;
	}

	private static BatchWorkers workers(String name, BatchProperties options, Environment environment) {
		return Threading.VIRTUAL.isActive(environment) ? BatchWorkers.virtual(name)
				: BatchWorkers.platform(name, options.threads());
	}

}
