package dev.sluice.cluster.internal;

import java.util.List;
import java.util.Map;

import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.test.trial.HostileValues;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages between nodes with hostile texts, each of which is read back equal. */
class FrameCodecTests {

	private final FrameCodec codec = new FrameCodec();

	@Test
	void anythingIsReadBack() {
		attack(100);
	}

	@Tag("hostile")
	@Test
	void muchMoreIsReadBack() {
		attack(2_000);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		for (int number = 0; number < times; number++) {
			SessionQuery query = new SessionQuery(values.text(300), values.text(10_000), values.text(300),
					values.text(255), Map.of(values.text(60_000), values.text(300)));
			Request request = new Request(values.word(20), number, Request.Action.SEND, query, values.text(60_000),
					values.oneIn(2), values.text(300), 1000,
					PropagatedHeaders.bounded(Map.of(values.text(300), values.text(300))));
			assertThat(this.codec.read(HostileValues.utf8(this.codec.write(request)))).as("seed %s", values.seed())
				.isEqualTo(request);
			Answer answer = new Answer(values.word(20), number, Answer.State.DONE, 3, 1, 1, Map.of(values.text(300), 1),
					List.of(new SessionInfo(values.text(300), "node", values.text(10_000), values.text(300))));
			Answer expected = new Answer(answer.node(), number, Answer.State.DONE, 3, 1, 1, answer.failures(),
					List.of(new SessionInfo(answer.found().get(0).id(), answer.node(),
							answer.found().get(0).principal(), answer.found().get(0).type())));
			assertThat(this.codec.read(HostileValues.utf8(this.codec.write(answer)))).as("seed %s", values.seed())
				.isEqualTo(expected);
			OutcomeRequest question = new OutcomeRequest(values.word(20), number, values.text(255));
			assertThat(this.codec.read(HostileValues.utf8(this.codec.write(question)))).as("seed %s", values.seed())
				.isEqualTo(question);
		}
	}

}
