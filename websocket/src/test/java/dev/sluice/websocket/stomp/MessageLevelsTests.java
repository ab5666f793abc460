package dev.sluice.websocket.stomp;

import dev.sluice.execution.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/** {@link MessageLevels}. */
class MessageLevelsTests {

	@Test
	void theBeginningOfASessionIsHigh() {
		assertThat(new MessageLevels(null).of(message(SimpMessageType.CONNECT))).isEqualTo(Level.HIGH);
	}

	@ParameterizedTest
	@EnumSource(names = { "CONNECT", "MESSAGE" }, mode = Mode.EXCLUDE)
	void aClientMayAskForALevelOfWhatItSendsOnly(SimpMessageType type) {
		assertThat(new MessageLevels("level").of(message(type))).isEqualTo(Level.NORMAL);
	}

	@Test
	void whatAClientSendsIsHighWhereItMayAskForThat() {
		Message<?> message = message(SimpMessageType.MESSAGE);
		assertThat(new MessageLevels("level").of(message)).isEqualTo(Level.HIGH);
		assertThat(new MessageLevels("other").of(message)).isEqualTo(Level.NORMAL);
		assertThat(new MessageLevels(null).of(message)).isEqualTo(Level.NORMAL);
	}

	private static Message<?> message(SimpMessageType type) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(type);
		headers.setNativeHeader("level", "high");
		return MessageBuilder.createMessage("", headers.getMessageHeaders());
	}

}
