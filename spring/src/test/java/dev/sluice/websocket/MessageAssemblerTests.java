package dev.sluice.websocket;

import org.junit.jupiter.api.Test;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageAssemblerTests {

	private final MessageAssembler assembler = new MessageAssembler();

	@Test
	void partsOfATextComeOutAsOne() {
		assertThat(this.assembler.add(new TextMessage("a", false), 10)).isNull();
		assertThat(this.assembler.add(new TextMessage("b", false), 10)).isNull();
		assertThat(this.assembler.add(new TextMessage("c", true), 10)).isEqualTo(new TextMessage("abc"));
		assertThat(this.assembler.add(new TextMessage("d", true), 10)).isEqualTo(new TextMessage("d"));
	}

	@Test
	void partsOfABinaryMessageComeOutAsOne() {
		assertThat(this.assembler.add(new BinaryMessage(new byte[] { 1 }, false), 10)).isNull();
		assertThat(this.assembler.add(new BinaryMessage(new byte[] { 2 }, true), 10))
			.isEqualTo(new BinaryMessage(new byte[] { 1, 2 }));
	}

	@Test
	void aBinaryMessageIsDetachedFromTheContainersBuffer() {
		byte[] buffer = { 1, 2 };
		WebSocketMessage<?> message = this.assembler.add(new BinaryMessage(buffer), 10);
		buffer[0] = 9;
		assertThat(message).isEqualTo(new BinaryMessage(new byte[] { 1, 2 }));
	}

	@Test
	void theLimitCountsTheBytesOfAllParts() {
		assertThat(this.assembler.add(new TextMessage("\u20ac"), 3)).isNotNull();
		assertThat(this.assembler.add(new TextMessage("\u20ac", false), 5)).isNull();
		assertThatExceptionOfType(SessionLimitExceededException.class)
			.isThrownBy(() -> this.assembler.add(new TextMessage("\u20ac", true), 5));
	}

}
