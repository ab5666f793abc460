package dev.sluice.aop.internal.method;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Text of a key or an owner that an expression gives. A text is its own key, and numbers,
 * enums and other single values are what their {@code toString} returns. Collections,
 * arrays, maps, optionals and records are compared by content: two of them have one text
 * exactly if their parts have. Arrays are like lists.
 */
final class KeyText {

	/*
	 * Parts are separated by ", " in brackets, a part by itself as "[a, b]". In a part, a
	 * backslash precedes each character of SPECIAL, so a separator or bracket without one
	 * is never part of a text. A null part is "null", and the text "null" is "\null"; an
	 * empty text is "\e", as "[]" is the empty list. Sets and maps have their parts in
	 * the order of their texts. Attacked by KeyTextTests.
	 */

	private static final String SPECIAL = "\\,[]{}()=";

	private static final int MAX_DEPTH = 50;

	private static final ClassValue<Kind> KINDS = new ClassValue<>() {

		@Override
		protected Kind computeValue(Class<?> type) {
			return Kind.of(type);
		}

	};

	private final AnnotationAttribute attribute;

	private final StringBuilder text = new StringBuilder();

	private final int depth;

	private KeyText(AnnotationAttribute attribute, int depth) {
		this.attribute = attribute;
		this.depth = depth;
	}

	/**
	 * Returns the text of a value.
	 * @param attribute gives the value, for the message
	 * @throws IllegalStateException if the value, or a part of it, has no content that
	 * could be compared
	 */
	static String of(Object value, AnnotationAttribute attribute) {
		if (value instanceof String text) {
			return text;
		}
		Kind kind = KINDS.get(value.getClass());
		KeyText text = new KeyText(attribute, 0);
		@Nullable Object[] components = (kind == Kind.RECORD) ? text.componentsOf((Record) value) : null;
		if (kind == Kind.SINGLE || kind == Kind.RECORD && components == null) {
			return value.toString();
		}
		text.append(value, kind);
		return text.text.toString();
	}

	private void append(Object value, Kind kind) {
		switch (kind) {
			case SINGLE -> escape(value.toString());
			case LIST -> parts('[', ((Collection<?>) value).stream().map(this::part).toList(), ']');
			case SET -> parts('{', ((Collection<?>) value).stream().map(this::part).sorted().toList(), '}');
			case MAP -> map((Map<?, ?>) value);
			case ENTRY -> this.text.append(entry((Map.Entry<?, ?>) value));
			case OPTIONAL -> parts('(', ((Optional<?>) value).stream().map(this::part).toList(), ')');
			case ARRAY -> parts('[', elements(value), ']');
			case RECORD -> record((Record) value);
			case NO_CONTENT -> throw incomparable(ClassUtils.getUserClass(value).getName() + " has no toString method. "
					+ "Name a property that identifies it, as in \"#order.id\", or let the class have the methods "
					+ "equals, hashCode and toString, as a record has", null);
		}
	}

	private IllegalStateException incomparable(String reason, @Nullable Throwable cause) {
		return new IllegalStateException("The result of " + this.attribute + " cannot be compared: " + reason + '.',
				cause);
	}

	/** An empty map is no empty set. */
	private void map(Map<?, ?> map) {
		parts('{', map.isEmpty() ? List.of("=") : map.entrySet().stream().map(this::entry).sorted().toList(), '}');
	}

	private void parts(char open, List<String> parts, char close) {
		this.text.append(open).append(String.join(", ", parts)).append(close);
	}

	private String part(@Nullable Object part) {
		if (part == null) {
			return "null";
		}
		if (this.depth == MAX_DEPTH) {
			throw incomparable("it contains itself, or has more than " + MAX_DEPTH + " levels", null);
		}
		KeyText text = new KeyText(this.attribute, this.depth + 1);
		text.append(part, KINDS.get(part.getClass()));
		return text.text.toString();
	}

	private String entry(Map.Entry<?, ?> entry) {
		return part(entry.getKey()) + '=' + part(entry.getValue());
	}

	private List<String> elements(Object array) {
		String[] parts = new String[Array.getLength(array)];
		for (int i = 0; i < parts.length; i++) {
			parts[i] = part(Array.get(array, i));
		}
		return Arrays.asList(parts);
	}

	private void record(Record value) {
		@Nullable Object[] components = componentsOf(value);
		if (components == null) {
			escape(value.toString());
			return;
		}
		this.text.append(value.getClass().getSimpleName());
		parts('(', Arrays.stream(components).map(this::part).toList(), ')');
	}

	/**
	 * Returns the components of a record, or {@code null} if the record overrides the
	 * compiler's {@code toString}, whose result is then used.
	 */
	private @Nullable Object @Nullable [] componentsOf(Record value) {
		RecordComponent[] components = value.getClass().getRecordComponents();
		@Nullable Object[] values = new Object[components.length];
		StringBuilder text = new StringBuilder(value.getClass().getSimpleName()).append('[');
		for (int i = 0; i < values.length; i++) {
			values[i] = read(value, components[i].getAccessor());
			text.append((i > 0) ? ", " : "").append(components[i].getName()).append('=').append(values[i]);
		}
		return value.toString().contentEquals(text.append(']')) ? values : null;
	}

	private @Nullable Object read(Record value, Method accessor) {
		try {
			accessor.setAccessible(true);
			return accessor.invoke(value);
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			throw incomparable("its " + accessor.getName()
					+ " cannot be read. Name the components instead, as in \"{#order.id, #order.part}\"", ex);
		}
	}

	/**
	 * Appends a text so that its characters cannot be mistaken for the surrounding ones.
	 */
	private void escape(String text) {
		if (text.isEmpty()) {
			this.text.append("\\e");
		}
		else if (text.equals("null")) {
			this.text.append("\\null");
		}
		else {
			for (int i = 0; i < text.length(); i++) {
				char character = text.charAt(i);
				if (SPECIAL.indexOf(character) >= 0) {
					this.text.append('\\');
				}
				this.text.append(character);
			}
		}
	}

	/** Kind of values of a class. */
	private enum Kind {

		SINGLE, LIST, SET, MAP, ENTRY, OPTIONAL, ARRAY, RECORD, NO_CONTENT;

		static Kind of(Class<?> type) {
			if (type.isArray()) {
				return ARRAY;
			}
			if (Collection.class.isAssignableFrom(type)) {
				return Set.class.isAssignableFrom(type) ? SET : LIST;
			}
			if (Map.class.isAssignableFrom(type)) {
				return MAP;
			}
			if (Map.Entry.class.isAssignableFrom(type)) {
				return ENTRY;
			}
			if (type == Optional.class) {
				return OPTIONAL;
			}
			if (type.isRecord()) {
				return RECORD;
			}
			return hasText(ClassUtils.getUserClass(type)) ? SINGLE : NO_CONTENT;
		}

		private static boolean hasText(Class<?> type) {
			try {
				return type.getMethod("toString").getDeclaringClass() != Object.class;
			}
			catch (NoSuchMethodException ex) {
				return false;
			}
		}

	}

}
