package dev.sluice.guide;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.sluice.annotation.BatchListener;

import org.springframework.stereotype.Component;

/** The listener of {@code docs/batches.md}. */
@Component
class InvoiceTable {

	private final List<List<Invoice>> inserts = new CopyOnWriteArrayList<>();

	@BatchListener("invoices")
	void insert(List<Invoice> invoices) {
		this.inserts.add(invoices);
	}

	List<List<Invoice>> inserts() {
		return this.inserts;
	}

}
