package dev.sluice.batch;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** A pushed item: the node of its slot's lists and the future of its batch. */
final class Item<T> extends CompletableFuture<@Nullable Void> {

	/** Gone when the item is in a batch, or was dropped. */
	@Nullable T value;

	/** The older one until {@link WaitingItems} has turned the list round. */
	@Nullable Item<T> next;

	/** How many items were pushed to the slot up to this one; set before the push. */
	int position;

	Item(@Nullable T value) {
		this.value = value;
	}

}
