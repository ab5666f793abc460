package dev.sluice.cluster.resume;

/** Cluster with sessions that may be resumed. */
public interface ResumeSource {

	/** Returns the sessions. */
	ResumableSessions resumes();

}
