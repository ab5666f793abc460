package dev.sluice.aop.internal.result;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.CollectionFactory;

/** Results of calls that are left out. */
final class EmptyValues {

	private static final Map<Class<?>, Object> OPTIONALS = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private EmptyValues() {
	}

	/** Returns the empty value of a type, which is {@code null} if it has no other. */
	static @Nullable Object of(Class<?> type) {
		if (OPTIONALS.containsKey(type)) {
			return OPTIONALS.get(type);
		}
		if (type == Future.class) {
			return CompletableFuture.completedFuture(null);
		}
		if (type == Stream.class) {
			return Stream.empty();
		}
		if (type == Iterable.class) {
			return CollectionFactory.createCollection(Collection.class, 0);
		}
		if (CollectionFactory.isApproximableCollectionType(type)) {
			return CollectionFactory.createCollection(type, 0);
		}
		return CollectionFactory.isApproximableMapType(type) ? CollectionFactory.createMap(type, 0) : null;
	}

}
