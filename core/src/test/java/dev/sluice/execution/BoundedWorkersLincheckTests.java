package dev.sluice.execution;

/**
 * Explores the interleavings of workers where only one task may run at a time, so that
 * workers and those who run their own tasks contend for the one place.
 */
public class BoundedWorkersLincheckTests extends AbstractWorkersLincheckTests {

	public BoundedWorkersLincheckTests() {
		super(1);
	}

}
