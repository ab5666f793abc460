package dev.sluice.guide;

import java.util.concurrent.CompletableFuture;

import dev.sluice.batch.BatchConsumer;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

/** The producer of {@code docs/batches.md}. */
@Service
class Invoices {

	private final BatchConsumer<Invoice> batches;

	Invoices(@Qualifier("invoices") BatchConsumer<Invoice> batches) {
		this.batches = batches;
	}

	CompletableFuture<Void> issue(Invoice invoice) {
		int slot = Math.floorMod(invoice.customer().hashCode(), 4);
		return this.batches.push(invoice, slot);
	}

}
