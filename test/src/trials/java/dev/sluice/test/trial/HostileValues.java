package dev.sluice.test.trial;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;

/**
 * Values that codecs and stores are attacked with: texts with halves of surrogate pairs,
 * controls, what protocols use as marks, and extreme lengths; nested arrays and objects;
 * numbers of many digits. A seed gives the same values again.
 */
public final class HostileValues {

	/** So that a failure names what is to be run again. */
	private static final String SEED = "sluice.test.seed";

	private static final List<String> PIECES = List.of("a", "Z", "7", "\u00e9", "e\u0301", "\u5317", "\ud83d\ude00",
			"\ud800", "\udc00", "\ud83d", "\u0000", "\u0001", "\t", "\r", "\n", "\u007f", "\u0085", "\u2028", "\ufeff",
			"\ufffd", "\uffff", "{", "}", "[", "]", ":", ",", ".", ";", " ", "\"", "'", "\\", "/", "%", "%u", "%uD800",
			"%7B", "%25", "@", "@1@", "*", "?", "#", "$", "<", "&", "|", "\\u0000", "null");

	private static final List<Integer> DEPTHS = List.of(1, 2, 3, 10, 100, 498, 499, 500, 501, 502, 1_000, 2_000);

	private final Random random;

	private final long seed;

	/** Creates values of a seed, which is printed. */
	public HostileValues(long seed) {
		this.seed = seed;
		this.random = new Random(seed);
		System.out.println("Seed of hostile values: " + seed + " (-D" + SEED + "=" + seed + ")");
	}

	/** Creates values that are others each time, unless a property says which. */
	public static HostileValues create() {
		return new HostileValues(Long.getLong(SEED, System.nanoTime()));
	}

	/** Returns the seed. */
	public long seed() {
		return this.seed;
	}

	/** Returns a number below a bound. */
	public int next(int bound) {
		return this.random.nextInt(bound);
	}

	/** Returns whether something is done that is done once in so many times. */
	public boolean oneIn(int times) {
		return this.random.nextInt(times) == 0;
	}

	/** Returns a text of at most so many characters, rarely of nearly as many. */
	public String text(int maxLength) {
		int length = this.random.nextInt(Math.min(maxLength, 24) + 1);
		if (oneIn(10)) {
			length = maxLength - this.random.nextInt(Math.min(maxLength, 3));
		}
		StringBuilder text = new StringBuilder();
		while (text.length() < length) {
			text.append(PIECES.get(this.random.nextInt(PIECES.size())));
		}
		text.setLength(length);
		return text.toString();
	}

	/** Returns a text that is not empty. */
	public String word(int maxLength) {
		String text = text(maxLength);
		return text.isEmpty() ? "x" : text;
	}

	/** Returns a text that UTF-8 has bytes for. */
	public String encodable(int maxLength) {
		String text = utf8(text(maxLength));
		return text.isEmpty() ? "x" : text;
	}

	/** Returns a text as it is after it was bytes in UTF-8. */
	public static String utf8(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	/** Returns whether UTF-8 has bytes for a text. */
	public static boolean isEncodable(String text) {
		return utf8(text).equals(text);
	}

	/** Returns a value for JSON: a text, number, list or map, or some within others. */
	public @Nullable Object value() {
		return switch (this.random.nextInt(8)) {
			case 0 -> nested(DEPTHS.get(this.random.nextInt(DEPTHS.size())));
			case 1 -> number();
			case 2 -> text(60_000);
			case 3 -> list();
			case 4 -> null;
			default -> map();
		};
	}

	/** Returns a map, with values of any kind. */
	public Map<String, @Nullable Object> map() {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = this.random.nextInt(4); i > 0; i--) {
			map.put(oneIn(30) ? "n".repeat(50_000 + this.random.nextInt(2)) : text(200), scalar());
		}
		if (oneIn(4)) {
			map.put("type", text(20));
		}
		if (oneIn(4)) {
			map.put("nested", nested(DEPTHS.get(this.random.nextInt(DEPTHS.size()))));
		}
		return map;
	}

	private List<@Nullable Object> list() {
		List<@Nullable Object> list = new ArrayList<>();
		for (int i = this.random.nextInt(4); i > 0; i--) {
			list.add(scalar());
		}
		return list;
	}

	private @Nullable Object scalar() {
		return switch (this.random.nextInt(5)) {
			case 0 -> number();
			case 1 -> this.random.nextBoolean();
			case 2 -> null;
			default -> text(300);
		};
	}

	private Number number() {
		return switch (this.random.nextInt(6)) {
			case 0 -> this.random.nextLong();
			case 1 -> this.random.nextDouble();
			case 2 -> new BigInteger("9".repeat(998 + this.random.nextInt(6)));
			case 3 -> new BigDecimal("1." + "3".repeat(996 + this.random.nextInt(6)));
			case 4 -> new BigDecimal((this.random.nextBoolean() ? "1e" : "7e-") + Integer.MAX_VALUE);
			default -> new BigInteger(64 + this.random.nextInt(3_000), this.random);
		};
	}

	private Object nested(int depth) {
		Object value = 1;
		for (int i = 0; i < depth; i++) {
			value = this.random.nextBoolean() ? singleton(value) : Map.of("v", value);
		}
		return value;
	}

	private static List<Object> singleton(Object value) {
		return new ArrayList<>(List.of(value));
	}

}
