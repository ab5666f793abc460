package dev.sluice.guide;

import dev.sluice.guide.ResumeGuideTests.Draft;
import dev.sluice.guide.ResumeGuideTests.Reload;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/** The session of {@code docs/resume.md}. */
@WebSocketEndpoint(path = "/drafts/{room}", topics = "room-{room}", resumable = true)
class DraftSession extends ManagedSession {

	private Draft draft = Draft.EMPTY;

	@Override
	protected void onResume(Resumption resumption) {
		Draft saved = resumption.state(Draft.class);
		this.draft = (saved != null) ? saved : Draft.EMPTY;
		if (!resumption.direct()) {
			post(new Reload());
		}
	}

	@OnMessage
	void edit(Draft draft) {
		this.draft = draft;
		saveState(draft);
	}

	@OnMessage("read")
	Draft read() {
		return this.draft;
	}

}
