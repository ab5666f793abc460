package dev.sluice.jdbc.database;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Any text as the database can hold it: {@code %25} for a percent sign, and {@code %u}
 * with four digits for a zero or half a surrogate pair.
 */
public final class Names {

	private static final Pattern ESCAPED = Pattern.compile("%u(\\p{XDigit}{4})");

	private Names() {
	}

	public static String escape(String text) {
		StringBuilder escaped = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character == '%') {
				escaped.append("%25");
			}
			else if (Character.isHighSurrogate(character) && i + 1 < text.length()
					&& Character.isLowSurrogate(text.charAt(i + 1))) {
				escaped.append(character).append(text.charAt(++i));
			}
			else if (character == 0 || Character.isSurrogate(character)) {
				escaped.append("%u").append(HexFormat.of().withUpperCase().toHexDigits(character));
			}
			else {
				escaped.append(character);
			}
		}
		return escaped.toString();
	}

	public static String unescape(String escaped) {
		String text = ESCAPED.matcher(escaped)
			.replaceAll((found) -> Character.toString((char) HexFormat.fromHexDigits(found.group(1))));
		return text.replace("%25", "%");
	}

	/** Returns a name for this node that no other has. */
	public static String newNode() {
		return Long.toString(new SecureRandom().nextLong() >>> 24, Character.MAX_RADIX);
	}

}
