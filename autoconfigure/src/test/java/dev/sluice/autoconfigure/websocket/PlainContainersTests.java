package dev.sluice.autoconfigure.websocket;

import org.apache.tomcat.websocket.Constants;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/migration.md} says of containers without Sluice. */
class PlainContainersTests {

	@Test
	void tomcatGivesAMessageTwentySecondsToBeWritten() {
		assertThat(Constants.DEFAULT_BLOCKING_SEND_TIMEOUT).isEqualTo(20_000);
	}

}
