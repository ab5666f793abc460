package dev.sluice.websocket.resume;

/** Cluster that has sessions which may be resumed. */
public interface ResumeSource {

	/** Returns the sessions. */
	ResumableSessions resumes();

}
