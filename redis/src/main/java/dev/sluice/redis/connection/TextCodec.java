package dev.sluice.redis.connection;

import java.nio.charset.StandardCharsets;

import io.lettuce.core.codec.StringCodec;
import io.netty.buffer.ByteBufUtil;

/**
 * Codec of text in UTF-8 that is written right to where it goes, as its bytes are counted
 * before; {@link StringCodec#UTF8} takes a buffer for each text.
 */
final class TextCodec extends StringCodec {

	static final TextCodec UTF8 = new TextCodec();

	private TextCodec() {
		super(StandardCharsets.UTF_8);
	}

	@Override
	public int estimateSize(Object text) {
		return ByteBufUtil.utf8Bytes((String) text);
	}

	@Override
	public boolean isEstimateExact() {
		return true;
	}

}
