package dev.sluice.observation;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.websocket.MessageObserver;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

class DefaultObserversTests {

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	@Test
	void messagesNodesAndWaitsAreObserved() {
		this.beans.addBean("registry", ObservationRegistry.create());
		assertThat(DefaultObservers.ofMessages(this.beans)).isInstanceOf(MessageObservations.class);
		assertThat(DefaultObservers.ofNodes(this.beans)).isInstanceOf(ClusterObservations.class);
		assertThat(DefaultObservers.ofLines(this.beans)).isInstanceOf(LineObservations.class);
	}

	@Test
	void whereMetersOnlyWouldComeOfObservationsThereAreNone() {
		this.beans.addBean("registry", ObservationRegistry.create());
		this.beans.addBean("meters", new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
		assertThat(DefaultObservers.ofMessages(this.beans)).isSameAs(MessageObserver.NONE);
		assertThat(DefaultObservers.ofNodes(this.beans)).isSameAs(ClusterObserver.NONE);
		assertThat(DefaultObservers.ofLines(this.beans)).isSameAs(LineObserver.NONE);
	}

	@Test
	void whereMoreThanMetersComesOfObservationsThereAreSome() {
		ObservationHandler<?> tracing = (context) -> true;
		this.beans.addBean("registry", ObservationRegistry.create());
		this.beans.addBean("meters", new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
		this.beans.addBean("tracing", tracing);
		assertThat(DefaultObservers.ofMessages(this.beans)).isInstanceOf(MessageObservations.class);
	}

	@Test
	void withoutARegistryThereAreNone() {
		assertThat(DefaultObservers.ofMessages(this.beans)).isSameAs(MessageObserver.NONE);
		assertThat(DefaultObservers.ofNodes(this.beans)).isSameAs(ClusterObserver.NONE);
		assertThat(DefaultObservers.ofLines(this.beans)).isSameAs(LineObserver.NONE);
	}

}
