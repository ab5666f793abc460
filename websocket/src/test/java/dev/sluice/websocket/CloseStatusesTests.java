package dev.sluice.websocket;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Reasons that fit into a close frame, and others. */
class CloseStatusesTests {

	@ParameterizedTest
	@CsvSource({ "122,x,x", "123,x,", "122,\u00e9,", "121,\u00e9,\u00e9", "122,\ud83d\ude00,", "120,\ud83d\ude00,",
			"119,\ud83d\ude00,\ud83d\ude00", "119,\ud83d\ude00x,\ud83d\ude00" })
	void reasonIsCutBetweenCharacters(int before, String last, String sent) {
		String start = "a".repeat(before);
		CloseStatus status = CloseStatuses.sendable(new CloseStatus(1000, start + last));
		assertThat(status).isEqualTo(new CloseStatus(1000, (sent != null) ? start + sent : start));
	}

	@Test
	void reasonOfTheMaximumSizeIsSentAsItIs() {
		for (CloseStatus status : new CloseStatus[] { CloseStatus.NORMAL, new CloseStatus(4000, "a".repeat(123)),
				new CloseStatus(4000, "\u5317".repeat(41)) }) {
			assertThat(CloseStatuses.requireAllowed(status)).isSameAs(status);
			assertThat(CloseStatuses.sendable(status)).isSameAs(status);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud800", "a\udc00", "\udc00\ud800" })
	void reasonWithHalfOfASurrogatePairIsRejected(String reason) {
		CloseStatus status = new CloseStatus(4000, reason);
		assertThatIllegalArgumentException().isThrownBy(() -> CloseStatuses.requireAllowed(status))
			.withMessageContaining("half of a surrogate pair");
		assertThat(CloseStatuses.sendable(status).getReason()).hasSameSizeAs(reason)
			.contains("?")
			.matches("\\p{ASCII}+");
	}

}
