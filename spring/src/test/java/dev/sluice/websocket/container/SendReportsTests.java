package dev.sluice.websocket.container;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** {@link SendReports}. */
class SendReportsTests {

	private final List<String> events = new ArrayList<>();

	@Test
	void aReportRunsOnTheSendingThreadWhenTheSendHasReturned() {
		SendReports.runAfter(() -> {
			assertThat(SendReports.keep(() -> this.events.add("reported"))).isTrue();
			this.events.add("sent");
		});
		assertThat(this.events).containsExactly("sent", "reported");
	}

	@Test
	void aThreadThatSendsNothingKeepsNoReport() {
		assertThat(SendReports.keep(() -> this.events.add("reported"))).isFalse();
		SendReports.runAfter(() -> this.events.add("sent"));
		assertThat(SendReports.keep(() -> this.events.add("reported"))).isFalse();
		assertThat(this.events).containsExactly("sent");
	}

	@Test
	void aReportMaySendTheNextMessage() {
		SendReports.runAfter(() -> SendReports.keep(() -> SendReports.runAfter(() -> {
			assertThat(SendReports.keep(() -> this.events.add("second reported"))).isTrue();
			this.events.add("second sent");
		})));
		assertThat(this.events).containsExactly("second sent", "second reported");
	}

	@Test
	void aReportIsRunEvenIfTheSendFails() {
		assertThatIllegalStateException().isThrownBy(() -> SendReports.runAfter(() -> {
			SendReports.keep(() -> this.events.add("reported"));
			throw new IllegalStateException("closed");
		}));
		assertThat(this.events).containsExactly("reported");
		assertThat(SendReports.keep(() -> this.events.add("late"))).isFalse();
	}

}
