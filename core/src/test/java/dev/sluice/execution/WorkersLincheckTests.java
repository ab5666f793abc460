package dev.sluice.execution;

/** Explores the interleavings of workers where any number of tasks may run at a time. */
public class WorkersLincheckTests extends AbstractWorkersLincheckTests {

	public WorkersLincheckTests() {
		super(Integer.MAX_VALUE);
	}

}
