package dev.sluice.cluster.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Publication;
import dev.sluice.bus.SessionRecord;
import dev.sluice.cluster.ResumeOutcome;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What is kept of sessions that resume, of which some cannot be read. */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableSessionsTests {

	private static final HistoryLimits LIMITS = new HistoryLimits(100, Duration.ofMinutes(5));

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	@Nullable private SessionRecord kept;

	private final ResumeNode one = node();

	private final ResumeNode other = node();

	private ResumeNode node() {
		ClusterBus connected = this.bus.connect();
		ClusterBus watched = ProxiedRecords.of(connected, (records, method, arguments) -> {
			if (method.getName().equals("keep")) {
				this.kept = (SessionRecord) arguments[0];
			}
			return method.invoke(records, arguments);
		});
		return new ResumeNode(watched, this.clock, LIMITS,
				new ResumeSettings(Duration.ofMinutes(2), 4_000, 10, 1_000_000, true));
	}

	private void plant(UnaryOperator<String> content) {
		SessionRecord present = Objects.requireNonNull(this.kept);
		Objects.requireNonNull(this.bus.connect().records())
			.keep(new SessionRecord(present.key(), present.node(), present.incarnation(), present.secrets(),
					present.owner(), content.apply(present.content())), Duration.ofMinutes(1))
			.join();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "0:8:\"\ud800\"", "0:4:[[[" })
	void whoComesBackGetsWhatFollowsAnUnreadableMessage(String payload) {
		Client ann = this.one.open("ann");
		ann.lose();
		publish(this.other, "m1");
		for (int i = 0; i < 3; i++) {
			this.bus.connect().publish(new Publication("t:lobby", "x" + i, payload, LIMITS, false)).join();
			publish(this.other, "m" + (i + 2));
		}

		for (ResumeNode node : List.of(this.one, this.other)) {
			Client back = node.resume(ann);
			assertThat(back.frames.stream().map(UnreadableSessionsTests::content).filter((text) -> !text.isEmpty()))
				.containsExactly("m1", "gap", "m2", "gap", "m3", "gap", "m4");
			assertThat(back.closed).isNull();
			assertThat(node.cluster.resumes().snapshot().bytes()).as("bytes of the total buffer").isZero();
			back.at.clear();
			back.at.putAll(ann.at);
			back.lose();
			ann.token = back.token;
		}
	}

	private static void publish(ResumeNode node, String text) {
		node.cluster.topic("lobby").publish(new Told(text)).join();
	}

	private static String content(JsonNode frame) {
		return frame.path("type").asString("").equals("gap") ? "gap" : frame.path("text").asString("");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "{}", "{\"topics\":[],\"direct\":7}", "\ud800", "null" })
	void unreadableRecordIsANewSession(String content, CapturedOutput output) {
		Client ann = this.one.open("ann");
		ann.session().post(new Told("lost"));
		ann.gone = true;
		this.one.kill();
		plant((present) -> content);

		Client back = this.other.resume(ann);
		assertThat(back.first().path("type").asString()).isEqualTo("session");
		assertThat(back.first().path("rejected").asString()).isEqualTo("expired");
		assertThat(back.closed).isNull();
		assertThat(this.other.cluster.resumes().snapshot().count(ResumeOutcome.EXPIRED)).isOne();
		assertThat(this.other.resume(ann).first().path("type").asString()).isEqualTo("session");
		assertThat(this.other.resume(back).first().path("type").asString()).isEqualTo("resumed");
		assertThat(lines(output)).hasSize(1).first().asString().contains("record").doesNotContain("ERROR");
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "{\\\"a\\\":", "", "{\\\"seq\\\":1", "{\\\"a\\\":\\\"\\ud800\\\"" })
	void directMessagesBehindAnUnreadableOneFollow(String head, CapturedOutput output) {
		Client ann = this.one.open("ann");
		ann.gone = true;
		List.of("m1", "m2", "m3").forEach((text) -> ann.session().post(new Told(text)));
		this.one.kill();
		plant((present) -> present.replace("{\\\"type\\\":\\\"told\\\",\\\"text\\\":\\\"m2\\\"", head)
			.replace("{\\\"text\\\":\\\"m2\\\"", head));

		Client back = this.other.resume(ann);
		assertThat(back.texts()).containsExactly("m1", "m3");
		assertThat(back.first().path("direct").asBoolean()).as("nothing is missing").isFalse();
		back.ack();
		assertThat(this.other.cluster.resumes().snapshot().bytes()).isZero();
		assertThat(lines(output)).hasSize(1).first().asString().contains("direct message").doesNotContain("ERROR");
	}

	@Test
	void stateOfAnotherTypeIsMissingAndDoesNotEndTheSession() {
		Client ann = this.one.open("ann");
		assertThat(ann.session().saveState(Map.of("a", 1))).isCompleted();
		ann.lose();

		Client back = this.other.resume(ann);
		assertThat(back.closed).isNull();
		assertThat(this.other.hooks).last().asString().endsWith("state null");
	}

	@Test
	void stateThatCannotBeKeptIsRejected() {
		Client ann = this.one.open("ann");
		assertThat(ann.session().saveState(new RawValue("[".repeat(500) + "]".repeat(500)))).isCompletedExceptionally();
		assertThat(ann.session().saveState(new RawValue("9".repeat(1_001)))).isCompletedExceptionally();
		assertThat(ann.session().saveState(new RawValue("{"))).isCompletedExceptionally();
		assertThat(ann.session().saveState("half \ud800")).isCompleted();
		ann.lose();
		this.other.resume(ann);
		assertThat(this.other.hooks).last().asString().endsWith("state half \ud800");
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("cannot be read")).toList();
	}

}
