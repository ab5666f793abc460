package dev.sluice.execution;

import org.junit.jupiter.api.Tag;

/** Explores the interleavings of workers where any number of tasks may run at a time. */
@Tag("full")
public class WorkersLincheckTests extends AbstractWorkersLincheckTests {

	public WorkersLincheckTests() {
		super(Integer.MAX_VALUE);
	}

}
