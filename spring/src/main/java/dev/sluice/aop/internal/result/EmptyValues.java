package dev.sluice.aop.internal.result;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.CollectionFactory;

/** Results of calls that are skipped. */
final class EmptyValues {

	private static final Map<Class<?>, Supplier<Object>> VALUES = Map.of(Optional.class, Optional::empty,
			OptionalInt.class, OptionalInt::empty, OptionalLong.class, OptionalLong::empty, OptionalDouble.class,
			OptionalDouble::empty, Future.class, () -> CompletableFuture.completedFuture(null), Stream.class,
			Stream::empty, Iterable.class, () -> CollectionFactory.createCollection(Collection.class, 0));

	private EmptyValues() {
	}

	/** Returns the empty value of a type, or {@code null} if it has none. */
	static @Nullable Object of(Class<?> type) {
		Supplier<Object> known = VALUES.get(type);
		if (known != null) {
			return known.get();
		}
		if (CollectionFactory.isApproximableCollectionType(type)) {
			return CollectionFactory.createCollection(type, 0);
		}
		return CollectionFactory.isApproximableMapType(type) ? CollectionFactory.createMap(type, 0) : null;
	}

}
