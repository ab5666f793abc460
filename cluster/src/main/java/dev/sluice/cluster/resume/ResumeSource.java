package dev.sluice.cluster.resume;

/** Cluster with sessions that may be resumed. */
public interface ResumeSource {

	/** Returns the sessions, of which there are none without records of the bus. */
	ResumableSessions resumes();

	/** Returns the class of the bus, for messages. */
	Class<?> busType();

}
