package dev.sluice.compatibility;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A line of {@code frames.txt}, which says what the columns mean.
 *
 * @param name what the case is about
 * @param writes the bytes of each write
 * @param probed whether an ordinary message is to follow
 * @param ended whether the client ends its direction of the connection
 */
record FrameCase(String name, List<byte[]> writes, boolean probed, boolean ended) {

	static final String PROBE = "probe";

	private static final byte[] MASK = { 0x37, (byte) 0xFA, 0x21, 0x3D };

	private static final int MASKED = 0x80;

	private static final int TWO_BYTES = 126;

	private static final int EIGHT_BYTES = 127;

	static FrameCase parse(String line) {
		String[] columns = line.split(" \\| ");
		List<byte[]> writes = new ArrayList<>();
		ByteArrayOutputStream write = new ByteArrayOutputStream();
		String last = "";
		for (String token : columns[1].split(" ")) {
			if (token.equals(",")) {
				writes.add(write.toByteArray());
				write.reset();
			}
			else if (!token.equals("eof")) {
				write.writeBytes(token.contains(":") ? frame(token) : payload(token));
			}
			last = token;
		}
		writes.add(write.toByteArray());
		boolean ended = last.equals("eof");
		return new FrameCase(columns[0], writes, !ended && !last.startsWith("88"), ended);
	}

	private static byte[] frame(String token) {
		int colon = token.indexOf(':');
		byte[] payload = payload(token.substring(colon + 1));
		return frame(Integer.parseInt(token.substring(0, 2), 16), token.substring(2, colon), payload);
	}

	/** Returns a frame as clients have to send it. */
	static byte[] frame(int head, byte[] payload) {
		return frame(head, "", payload);
	}

	private static byte[] frame(int head, String flag, byte[] payload) {
		byte[] mask = switch (flag) {
			case "u" -> new byte[0];
			case "m" -> new byte[MASK.length];
			default -> MASK;
		};
		int masked = (mask.length > 0) ? MASKED : 0;
		int length = payload.length;
		ByteBuffer frame = ByteBuffer.allocate(2 + Long.BYTES + mask.length + length);
		frame.put((byte) head);
		if (flag.equals("l") || length > 0xFFFF) {
			frame.put((byte) (masked | EIGHT_BYTES)).putLong(length);
		}
		else if (flag.equals("s") || length >= TWO_BYTES) {
			frame.put((byte) (masked | TWO_BYTES)).putShort((short) length);
		}
		else {
			frame.put((byte) (masked | length));
		}
		frame.put(mask);
		for (int i = 0; i < length; i++) {
			frame.put((byte) (payload[i] ^ ((masked != 0) ? mask[i % mask.length] : 0)));
		}
		byte[] bytes = new byte[frame.flip().remaining()];
		frame.get(bytes);
		return bytes;
	}

	private static byte[] payload(String text) {
		if (text.startsWith("x")) {
			return HexFormat.of().parseHex(text, 1, text.length());
		}
		if (text.startsWith("*")) {
			return "abcdefghij".repeat(1 + Integer.parseInt(text.substring(1)) / 10)
				.substring(0, Integer.parseInt(text.substring(1)))
				.getBytes(StandardCharsets.US_ASCII);
		}
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
