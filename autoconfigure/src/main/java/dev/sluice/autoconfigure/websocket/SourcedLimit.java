package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.Nullable;

/**
 * A limit and its source.
 *
 * @param <T> the type of the limit
 * @param value the limit, or {@code null} for no limit
 * @param source the source of the limit
 */
record SourcedLimit<T>(@Nullable T value, String source) {

	private static final String DEFAULT = "default";

	/** Returns a limit with its default value. */
	static <T> SourcedLimit<T> ofDefault(@Nullable T value) {
		return new SourcedLimit<>(value, DEFAULT);
	}

	/** Chooses the value of a property, if set. */
	static <T> SourcedLimit<T> choose(String property, @Nullable T ofProperty, SourcedLimit<T> otherwise) {
		return (ofProperty != null) ? new SourcedLimit<>(ofProperty, property) : otherwise;
	}

	@Override
	public String toString() {
		return ((this.value != null) ? this.value : "unlimited") + " (" + this.source + ')';
	}

}
