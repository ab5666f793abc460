package dev.sluice.websocket.inbound;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MessageAssemblerTests {

	private MessageAssembler assembler = new MessageAssembler();

	@Test
	void partsOfATextComeOutAsOne() {
		assertThat(this.assembler.add(new TextMessage("a", false), 10)).isNull();
		assertThat(this.assembler.add(new TextMessage("b", false), 10)).isNull();
		assertThat(this.assembler.add(new TextMessage("c", true), 10)).isEqualTo(new TextMessage("abc"));
	}

	@Test
	void aTextThatIsWholeIsNotCopied() {
		TextMessage whole = new TextMessage("d", true);
		assertThat(this.assembler.add(whole, 10)).isSameAs(whole);
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
	void manyPartsOfABinaryMessageComeOutAsOne() {
		byte[] expected = new byte[10_000];
		for (int i = 0; i < expected.length; i++) {
			expected[i] = (byte) i;
			WebSocketMessage<?> whole = this.assembler
				.add(new BinaryMessage(new byte[] { (byte) i }, i == expected.length - 1), expected.length);
			assertThat(whole).isEqualTo((i < expected.length - 1) ? null : new BinaryMessage(expected));
		}
	}

	@Test
	void aPartIsNotPaidForByTheSizeOfThoseBeforeIt() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		BinaryMessage empty = new BinaryMessage(new byte[0], false);
		this.assembler.add(new BinaryMessage(new byte[64 * 1024], false), 64 * 1024);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < MessageAssembler.MAX_EMPTY_PARTS; i++) {
			this.assembler.add(empty, 64 * 1024);
		}
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 * 1024);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatPartsCostGrowsWithTheirBytes(boolean text) {
		WebSocketMessage<?> part = text ? new TextMessage("x".repeat(64), false)
				: new BinaryMessage(new byte[64], false);
		long small = allocated(part, 1_000);

		assertThat(allocated(part, 8_000)).isLessThan(2 * 8 * small);
	}

	/** Returns the bytes that it takes to put parts together. */
	private static long allocated(WebSocketMessage<?> part, int parts) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		MessageAssembler assembler = new MessageAssembler();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < parts; i++) {
			assembler.add(part, Integer.MAX_VALUE);
		}
		return threads.getCurrentThreadAllocatedBytes() - before;
	}

	@Test
	void aMessageHasABoundedNumberOfEmptyParts() {
		for (int i = 0; i < MessageAssembler.MAX_EMPTY_PARTS; i++) {
			assertThat(this.assembler.add(new TextMessage("", false), 10)).isNull();
		}
		assertThatExceptionOfType(SessionLimitExceededException.class)
			.isThrownBy(() -> this.assembler.add(new TextMessage("", false), 10))
			.satisfies((ex) -> assertThat(ex.getStatus())
				.isEqualTo(CloseStatus.POLICY_VIOLATION.withReason("Too many empty parts")));
	}

	@Test
	void theLimitCountsTheBytesOfAllParts() {
		assertThat(this.assembler.add(new TextMessage("\u20ac"), 3)).isNotNull();
		this.assembler = new MessageAssembler();
		assertThat(this.assembler.add(new TextMessage("\u20ac", false), 5)).isNull();
		assertThatExceptionOfType(SessionLimitExceededException.class)
			.isThrownBy(() -> this.assembler.add(new TextMessage("\u20ac", true), 5))
			.satisfies((ex) -> assertThat(ex.getStatus().getReason()).isEqualTo("A message may have at most 5 bytes"));
	}

}
