package dev.sluice.jdbc.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Any text as bytes and back, zeros and halves of surrogates too, which PostgreSQL keeps
 * in no text. The bytes are Java's modified UTF-8.
 */
public final class Text {

	private static final int LENGTH = 2;

	private Text() {
	}

	/**
	 * Encodes a text of at most some thousands of characters.
	 * @param text any text
	 * @return its bytes
	 */
	public static byte[] encode(String text) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + LENGTH);
		try {
			new DataOutputStream(bytes).writeUTF(text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		byte[] all = bytes.toByteArray();
		return Arrays.copyOfRange(all, LENGTH, all.length);
	}

	/**
	 * Decodes what was encoded.
	 * @param bytes the bytes of a text
	 * @return the text
	 */
	public static String decode(byte[] bytes) {
		byte[] all = new byte[bytes.length + LENGTH];
		all[0] = (byte) (bytes.length >> Byte.SIZE);
		all[1] = (byte) bytes.length;
		System.arraycopy(bytes, 0, all, LENGTH, bytes.length);
		try {
			return new DataInputStream(new ByteArrayInputStream(all)).readUTF();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Quotes a name.
	 * @param name the name
	 * @return the identifier
	 */
	public static String quoted(String name) {
		return '"' + name.replace("\"", "\"\"") + '"';
	}

}
