package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes that start with the same settings, and with others. */
@ExtendWith(OutputCaptureExtension.class)
class SharedSettingsTests {

	private static final String DIFFERENT = "The nodes of the cluster have different settings";

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	@Test
	void nodesWithTheSameSettingsLogNothing(CapturedOutput output) {
		node(10, PresenceSettings.OFF);
		node(10, PresenceSettings.OFF).bus.interrupt();
		assertThat(output).doesNotContain(DIFFERENT);
	}

	@Test
	void eachNodeLogsADifferenceOnce(CapturedOutput output) {
		TestNode one = node(10, PresenceSettings.OFF);
		TestNode other = node(20, PresenceSettings.OFF);
		node(20, PresenceSettings.OFF);
		other.bus.interrupt();
		assertThat(lines(output)).hasSize(3);
		assertThat(lines(output).get(0)).contains("'sluice.cluster.history.size' is 10 here and 20 at node "
				+ other.bus.node() + ". Set the same value on all nodes.");
		assertThat(lines(output).get(1))
			.contains("'sluice.cluster.history.size' is 20 here and 10 at node " + one.bus.node());
		assertThat(lines(output).get(2)).contains("is 20 here and 10");
	}

	@Test
	void settingOfOneNodeOnlyIsADifference(CapturedOutput output) {
		node(10, PresenceSettings.OFF);
		node(10, new PresenceSettings(List.of("room-*"), Duration.ofSeconds(5), 2));
		assertThat(lines(output)).hasSize(4)
			.anySatisfy((line) -> assertThat(line)
				.contains("'sluice.cluster.presence.topics' is not set here and room-* at node"))
			.anySatisfy((line) -> assertThat(line)
				.contains("'sluice.cluster.presence.leave-delay' is PT5S here and not set at node"));
	}

	@ParameterizedTest
	@CsvSource({ "resume.window,PT2M,PT3M", "resume.outbox,memory,redis", "history.time,PT5M,PT6M",
			"topics[short-*].history.size,1,2" })
	void eachSettingThatNodesMustShareIsCompared(String property, String here, String there, CapturedOutput output) {
		ResumeSettings resume = ResumeSettings.DEFAULTS;
		boolean window = property.equals("resume.window");
		boolean outbox = property.equals("resume.outbox");
		Duration time = Duration.ofMinutes(property.equals("history.time") ? 6 : 5);
		node(10, PresenceSettings.OFF);
		node(new ClusterSettings(TIMEOUT,
				new ByTopic<>(new HistoryLimits(10, time),
						Map.of("short-*",
								new HistoryLimits(property.startsWith("topics") ? 2 : 1, Duration.ofMinutes(5)))),
				3, PresenceSettings.OFF, new ResumeSettings(window ? Duration.ofMinutes(3) : resume.window(),
						resume.buffer(), resume.maxSuspended(), resume.totalBuffer(), outbox),
				false));
		assertThat(lines(output)).hasSize(2)
			.anySatisfy((line) -> assertThat(line)
				.contains("'sluice.cluster." + property + "' is " + here + " here and " + there + " at node"))
			.anySatisfy((line) -> assertThat(line)
				.contains("'sluice.cluster." + property + "' is " + there + " here and " + here + " at node"));
	}

	@Test
	void nodeThatCannotReachTheOthersAnnouncesItsSettingsLater(CapturedOutput output) {
		TestNode one = node(10, PresenceSettings.OFF);
		TestNode other = node(20, PresenceSettings.OFF);
		int before = lines(output).size();
		FaultyBus unavailable = unavailable();
		TestNode third = node(unavailable, 30, PresenceSettings.OFF);
		assertThat(lines(output)).hasSize(before);
		unavailable.unavailable = false;
		this.clock.advance(TIMEOUT);
		assertThat(lines(output).subList(before, lines(output).size()))
			.anySatisfy((line) -> assertThat(line).contains("is 10 here and 30 at node " + third.bus.node()))
			.anySatisfy((line) -> assertThat(line).contains("is 30 here and 10 at node " + one.bus.node()))
			.anySatisfy((line) -> assertThat(line).contains("is 30 here and 20 at node " + other.bus.node()))
			.hasSize(4);
	}

	@Test
	void closedNodeAnnouncesNothing(CapturedOutput output) {
		node(10, PresenceSettings.OFF);
		FaultyBus unavailable = unavailable();
		node(unavailable, 20, PresenceSettings.OFF).close();
		unavailable.unavailable = false;
		this.clock.advance(TIMEOUT.multipliedBy(3));
		assertThat(output).doesNotContain(DIFFERENT);
	}

	private FaultyBus unavailable() {
		FaultyBus unavailable = new FaultyBus(this.bus.connect());
		unavailable.unavailable = true;
		return unavailable;
	}

	private TestNode node(int history, PresenceSettings presence) {
		return node(this.bus.connect(), history, presence);
	}

	private TestNode node(ClusterBus bus, int history, PresenceSettings presence) {
		return new TestNode(bus, Runnable::run, this.clock, Runnable::run, history, presence);
	}

	private void node(ClusterSettings settings) {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		WebSocketDispatcher dispatcher = WebSocketDispatcher.builder(executor, executor, Runnable::run)
			.control(Runnable::run)
			.settings(TestSettings.of(QuotaLimits.NONE))
			.build();
		new DefaultSessionCluster(this.bus.connect(), dispatcher, Runnable::run, this.clock, settings);
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains(DIFFERENT)).toList();
	}

}
