package dev.sluice.redis.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TextCodecTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "sluice:{a:b}", "écluse", "水門", "\uD83D\uDEA6", "half \uD83D", "\uDEA6 half" })
	void countsTheBytesThatItWrites(String text) {
		ByteBuf written = Unpooled.buffer();

		TextCodec.UTF8.encodeKey(text, written);

		assertThat(TextCodec.UTF8.estimateSize(text)).isEqualTo(written.readableBytes());
	}

}
