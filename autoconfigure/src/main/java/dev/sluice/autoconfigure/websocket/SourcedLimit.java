package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.Nullable;

/**
 * A limit, and who has set it.
 *
 * @param <T> the type of the limit
 * @param value the limit, or {@code null} if there is none
 * @param source what has set it
 */
record SourcedLimit<T>(@Nullable T value, String source) {

	private static final String DEFAULT = "default";

	/** Returns a limit that nobody has set. */
	static <T> SourcedLimit<T> ofDefault(@Nullable T value) {
		return new SourcedLimit<>(value, DEFAULT);
	}

	/** Chooses what a property says, if it is set. */
	static <T> SourcedLimit<T> choose(String property, @Nullable T ofProperty, SourcedLimit<T> otherwise) {
		return (ofProperty != null) ? new SourcedLimit<>(ofProperty, property) : otherwise;
	}

	@Override
	public String toString() {
		return ((this.value != null) ? this.value : "unlimited") + " (" + this.source + ')';
	}

}
