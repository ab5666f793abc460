package dev.sluice.cluster.internal;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.TooManyTopicsException;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class JoinFailuresTests {

	@Test
	void topicThatASessionCannotJoinIsLoggedThoughNobodyObservesIt(CapturedOutput output) {
		NanoClock clock = NanoClock.system();
		TestNode node = new TestNode(new MemoryBus(Runnable::run, clock).connect(), Runnable::run, clock, Runnable::run,
				10);
		ManagedSession session = node.open("1", "ada").session();
		int topics = 0;
		while (!node.cluster.topic("t" + topics).join(session).isCompletedExceptionally()) {
			topics++;
		}
		node.cluster.topic("another").join(session);
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("A session did not become a member of a topic", "(t" + topics + ", ",
					TooManyTopicsException.class.getSimpleName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "rooms-{room}", "rooms-*", "rooms-${room}" })
	void topicThatIsNamedLikeAPatternIsLogged(String name, CapturedOutput output) {
		NanoClock clock = NanoClock.system();
		TestNode node = new TestNode(new MemoryBus(Runnable::run, clock).connect(), Runnable::run, clock, Runnable::run,
				10);
		node.cluster.topic(name).publish("hello");
		node.cluster.topic("{\"a\":1}*-rooms").publish("hello");
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("A topic has a variable or a star in its name", name);
	}

}
