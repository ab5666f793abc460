package dev.sluice.jdbc.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Conversion of any text to bytes and back. PostgreSQL cannot store zeros or unpaired
 * surrogates in a text. The bytes are Java's modified UTF-8.
 */
public final class Text {

	private static final int LENGTH = 2;

	private Text() {
	}

	/**
	 * Encodes a text of at most a few thousand characters.
	 * @param text any text
	 * @return the bytes of the text
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
	 * Decodes an encoded text.
	 * @param bytes the bytes of the text
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
	 * Quotes a name as an identifier of SQL.
	 * @param name the name
	 * @return the identifier
	 */
	public static String quoted(String name) {
		return '"' + name.replace("\"", "\"\"") + '"';
	}

}
