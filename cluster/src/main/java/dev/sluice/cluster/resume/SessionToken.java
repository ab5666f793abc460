package dev.sluice.cluster.resume;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Token of a session: its key, which is not secret, and a secret of 128 random bits, of
 * which only the hash is kept.
 *
 * @param key the key of the session
 * @param secret the secret
 */
record SessionToken(String key, String secret) {

	private static final int KEY_BYTES = 9;

	private static final int SECRET_BYTES = 16;

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final Pattern TOKEN = Pattern.compile("[\\w-]{12}\\.[\\w-]{22}");

	/** Creates the token of a new session. */
	static SessionToken create() {
		return new SessionToken(random(KEY_BYTES), random(SECRET_BYTES));
	}

	/** Creates the next token of the session. */
	SessionToken next() {
		return new SessionToken(this.key, random(SECRET_BYTES));
	}

	/** Reads a token; returns {@code null} if the text is not a token. */
	static @Nullable SessionToken parse(String text) {
		int dot = text.indexOf('.');
		return TOKEN.matcher(text).matches() ? new SessionToken(text.substring(0, dot), text.substring(dot + 1)) : null;
	}

	private static String random(int length) {
		byte[] bytes = new byte[length];
		RANDOM.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	/** Returns the hash of the secret. */
	String hash() {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(this.secret.getBytes(StandardCharsets.US_ASCII));
			return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/** Returns the text for the client. */
	String text() {
		return this.key + "." + this.secret;
	}

	/** Returns no secret. */
	@Override
	public String toString() {
		return this.key;
	}

}
