package dev.sluice.execution;

import org.junit.jupiter.api.Tag;

/**
 * Explores the interleavings of workers where only one task may run at a time, so that
 * workers and those who run their own tasks contend for the one place.
 */
@Tag("full")
public class BoundedWorkersLincheckTests extends AbstractWorkersLincheckTests {

	public BoundedWorkersLincheckTests() {
		super(1);
	}

}
