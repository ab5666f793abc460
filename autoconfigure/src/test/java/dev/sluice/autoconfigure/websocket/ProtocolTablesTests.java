package dev.sluice.autoconfigure.websocket;

import java.util.List;

import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.cluster.resume.ResumeFrames;
import dev.sluice.websocket.CloseStatuses;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of {@code docs/protocol.md}; what they say is tested by ResumeTests and
 * ResumedSessionsTests.
 */
class ProtocolTablesTests {

	@Test
	void theFramesAreAllOfThem() {
		assertThat(firstColumn("frame | fields | when")).containsExactly("`resume`", "`ack`");
		assertThat(firstColumn("frame | fields | means")).containsExactly("`session`", "`resumed`", "`joined`",
				"any, with `topic` and `at`", "`gap`", "any, with `seq`", "`goodbye`");
	}

	@Test
	void theCodesAreThoseOfTheServer() {
		assertThat(firstColumn("code | means"))
			.contains("" + CloseStatuses.RESUME_LATE.getCode(), "" + CloseStatuses.RESUMED_ELSEWHERE.getCode())
			.anyMatch((codes) -> codes.contains("" + CloseStatuses.RESUME_UNAVAILABLE.getCode()))
			.anyMatch((codes) -> codes.contains("" + CloseStatuses.INVALID_RESUME.getCode()));
	}

	@Test
	void theLimitsAreThoseOfTheServer() {
		List<List<String>> rows = PageTable.of("protocol.md", "of | limit").rows();
		assertThat(rows.get(0)).contains("time to the first frame", "5 s");
		assertThat(rows.get(1)).contains("`resume`", ResumeFrames.MAX_SIZE / 1024 + " KB");
	}

	private static List<String> firstColumn(String head) {
		return PageTable.of("protocol.md", head).rows().stream().map((row) -> row.get(0)).toList();
	}

}
