package dev.sluice.throttle.internal.argument;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bound on the length of keys and owners, so that text chosen by a client cannot fill the
 * memory. Longer text is replaced by its head, for people to recognize it, an ellipsis
 * and the SHA-256 digest of all of it (of its UTF-16 code units, the greater byte first),
 * in hexadecimal digits.
 */
public final class BoundedText {

	public static final int MAX_LENGTH = 256;

	private static final int HEAD_LENGTH = 64;

	private BoundedText() {
	}

	/** Returns the text, or what stands for it if it is too long. */
	public static String of(String name, String text) {
		Checks.notNull(name, text);
		return (text.length() <= MAX_LENGTH) ? text : digest(text);
	}

	private static String digest(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(utf16(text));
			return head(text) + "\u2026" + HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/** Encodes each code unit, those too that are no character alone. */
	private static byte[] utf16(String text) {
		byte[] bytes = new byte[2 * text.length()];
		ByteBuffer.wrap(bytes).asCharBuffer().put(text);
		return bytes;
	}

	/** Cuts no character in two. */
	private static String head(String text) {
		boolean cutsPair = Character.isSurrogatePair(text.charAt(HEAD_LENGTH - 1), text.charAt(HEAD_LENGTH));
		return text.substring(0, cutsPair ? HEAD_LENGTH - 1 : HEAD_LENGTH);
	}

}
