package dev.sluice.execution;

/**
 * Explores the same where only one task may run at a time, so that workers and those who
 * run their own tasks contend for the one place.
 */
public class BoundedWorkersLincheckTests extends WorkersLincheckTests {

	public BoundedWorkersLincheckTests() {
		super(1);
	}

}
