package dev.sluice.cluster.endpoint;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One session of a principal on two nodes: a connection is not rejected for the one whose
 * place it takes.
 */
class ResumePlacesTests {

	private static final HistoryLimits HISTORY = new HistoryLimits(5, Duration.ofMinutes(5));

	private static final QuotaLimits ONE_PER_PRINCIPAL = new QuotaLimits(Integer.MAX_VALUE, 1, Integer.MAX_VALUE);

	private static final QuotaLimits ONE_PER_ADDRESS = new QuotaLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 1);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final ResumeNode one = node(this.bus.connect(), ONE_PER_PRINCIPAL);

	private final ResumeNode other = node(this.bus.connect(), ONE_PER_PRINCIPAL);

	private ResumeNode node(ClusterBus connected, QuotaLimits quota) {
		return new ResumeNode(connected, this.clock, HISTORY, ResumeSettings.DEFAULTS, Runnable::run, Runnable::run,
				TestSettings.of(quota));
	}

	@AfterEach
	void close() {
		this.one.close();
		this.other.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whoComesBackTakesThePlaceOfTheConnectionThatIsHalfOpen(boolean sameNode) {
		Client ann = this.one.open("ann");
		ann.gone = true;
		Client back = (sameNode ? this.one : this.other).resume(ann);
		assertThat(back.first().path("type").asString()).isEqualTo("resumed");
		assertRefused(this.one.open("ann"));
		assertRefused(this.other.open("ann"));
		ann.lose();
		assertRefused(this.one.open("ann"));
		assertRefused(this.other.open("ann"));
		back.lose();
		assertThat(this.one.open("ann").closed).isNull();
	}

	@Test
	void placesOfAnAddressAreTakenOver() {
		ResumeNode node = node(this.bus.connect(), ONE_PER_ADDRESS);
		Client ann = node.open("ann");
		ann.gone = true;
		Client back = node.resume(ann);
		assertThat(back.first().path("type").asString()).isEqualTo("resumed");
		assertRefused(node.open("bob"));
		node.close();
	}

	@Test
	void aNodeThatDoesNotAnswerRejectsNobodyForWhatItHas() {
		ResumeNode mute = node(mute(this.bus.connect()), ONE_PER_PRINCIPAL);
		Client ann = mute.open("ann");
		ann.gone = true;
		Client back = this.other.resume(ann);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(back.first().path("type").asString()).isEqualTo("resumed");
		assertRefused(this.other.open("ann"));
		mute.close();
	}

	private static ClusterBus mute(ClusterBus bus) {
		return (ClusterBus) Proxy.newProxyInstance(ClusterBus.class.getClassLoader(),
				new Class<?>[] { ClusterBus.class }, (proxy, method, arguments) -> method.getName().equals("send")
						? CompletableFuture.completedFuture(true) : method.invoke(bus, arguments));
	}

	/** As many as may have a session may be about to say what they want. */
	@Test
	void connectionsThatSayNothingAreCountedAmongEachOther() {
		this.one.open("ann");
		assertThat(this.one.connect("ann").closed).isNull();
		assertRefused(this.one.connect("ann"));
		assertThat(this.one.connect("bob").closed).isNull();
	}

	@Test
	void aConnectionThatSaysNothingInTimeIsOneTooMany() {
		this.one.open("ann");
		Client silent = this.other.connect("ann");
		this.clock.advance(Duration.ofSeconds(5));
		assertRefused(silent);
		assertThat(this.other.connect("ann").closed).isNull();
	}

	@Test
	void aSessionWithoutAConnectionHasNoPlaceAndIsKeptUntilThereIsOne() {
		Client ann = this.one.open("ann");
		ann.lose();
		Client second = this.other.open("ann");
		assertThat(second.closed).isNull();
		assertRefused(this.one.resume(ann));
		second.lose();
		Client back = this.one.resume(ann);
		assertThat(back.first().path("type").asString()).isEqualTo("resumed");
	}

	private static void assertRefused(Client client) {
		assertThat(client.closed).isEqualTo(CloseStatuses.TOO_MANY_SESSIONS);
		assertThat(client.frames).isEmpty();
	}

}
