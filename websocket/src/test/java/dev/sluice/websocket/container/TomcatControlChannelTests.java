package dev.sluice.websocket.container;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.TransformationResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyByte;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class TomcatControlChannelTests {

	private static final int COMPRESSED = 4;

	private final TomcatReading reading = TomcatReading.exact();

	private final TomcatControlChannel channel = new TomcatControlChannel(this.reading);

	private final Transformation inflating = mock(Transformation.class);

	private boolean heldBack;

	@BeforeEach
	void connect() {
		this.channel.setNext(this.inflating);
		this.reading.connect(() -> this.heldBack);
	}

	@Test
	void whatAnExtensionHasReadOfAFrameIsTakenThoughTheNextFrameIsHeldBack() throws IOException {
		when(this.inflating.getMoreData(anyByte(), anyBoolean(), anyInt(), any())).thenReturn(
				TransformationResult.OVERFLOW, TransformationResult.OVERFLOW, TransformationResult.END_OF_FRAME);
		assertThat(moreData()).isEqualTo(TransformationResult.OVERFLOW);
		this.heldBack = true;
		assertThat(moreData()).isEqualTo(TransformationResult.OVERFLOW);
		assertThat(moreData()).isEqualTo(TransformationResult.END_OF_FRAME);
		assertThat(moreData()).isEqualTo(TransformationResult.UNDERFLOW);
	}

	@Test
	void theRestOfAFrameThatHasNotComeYetIsHeldBack() throws IOException {
		when(this.inflating.getMoreData(anyByte(), anyBoolean(), anyInt(), any()))
			.thenReturn(TransformationResult.UNDERFLOW, TransformationResult.END_OF_FRAME);
		assertThat(moreData()).isEqualTo(TransformationResult.UNDERFLOW);
		this.heldBack = true;
		assertThat(moreData()).isEqualTo(TransformationResult.UNDERFLOW);
		this.heldBack = false;
		assertThat(moreData()).isEqualTo(TransformationResult.END_OF_FRAME);
	}

	private TransformationResult moreData() throws IOException {
		return this.channel.getMoreData(Constants.OPCODE_TEXT, true, COMPRESSED, ByteBuffer.allocate(1));
	}

}
