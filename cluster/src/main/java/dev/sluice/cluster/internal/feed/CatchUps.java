package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SharedSends;
import org.jspecify.annotations.Nullable;

/**
 * Members of one topic that are behind and have room for missed messages. One page of the
 * history is read at a time, starting at the member that is farthest behind, and sent to
 * all members whose position is within the page.
 */
public final class CatchUps {

	/*
	 * A stream is in "ready" from when it has room until a page takes it; if there is
	 * more for it, the page puts it back. The thread that sets "running" starts the
	 * pages, which end when no stream is ready. A stream that becomes ready in the
	 * meantime starts them again: it is added before "running" is read, and "running" is
	 * reset before "ready" is read. Pages end at the latest message that has arrived:
	 * later messages are delivered as to all other members, in the topic's turn, where
	 * pages are sent as well.
	 *
	 * Attacked by CatchUpHistoryTests.
	 */

	/** Maximum number of messages read at once. */
	public static final int PAGE = 100;

	private final Set<TopicStream> ready = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	private final TopicFeed feed;

	private final Frames frames;

	private final SharedSends sends;

	private final Runnable start;

	/**
	 * Creates catch-ups without members.
	 * @param feed the messages that have arrived
	 * @param start called when pages are required, on any thread
	 */
	public CatchUps(TopicFeed feed, Frames frames, SharedSends sends, Runnable start) {
		this.feed = feed;
		this.frames = frames;
		this.sends = sends;
		this.start = start;
	}

	/** Adds a member that is behind and has room; called on any thread. */
	public void ready(TopicStream stream) {
		this.ready.add(stream);
		startIfIdle();
	}

	private void startIfIdle() {
		if (!this.ready.isEmpty() && this.running.compareAndSet(false, true)) {
			this.start.run();
		}
	}

	/** Reads no further pages for now. */
	public void stop() {
		this.running.set(false);
		startIfIdle();
	}

	/**
	 * Begins a page.
	 * @return the page, with the streams that need one
	 */
	public Page begin() {
		Position last = this.feed.last();
		List<Reader> readers = new ArrayList<>();
		for (TopicStream stream : this.ready) {
			this.ready.remove(stream);
			TopicStream.Cursor cursor = stream.begin();
			if (cursor != null && !stream.catchUp(cursor, last)) {
				readers.add(new Reader(stream, cursor));
			}
		}
		return new Page(readers, last);
	}

	/** Writes the frames sent to members. */
	public interface Frames {

		/** Writes a message. */
		WrittenMessage message(TopicEntry entry);

		/** Writes the frame that notifies of a gap. */
		WrittenMessage gap(@Nullable Position at);

	}

	/** A page with the streams that need it; used in the topic's turn. */
	public final class Page {

		private final List<Reader> readers;

		private final @Nullable Position last;

		Page(List<Reader> readers, @Nullable Position last) {
			this.readers = readers;
			this.last = last;
		}

		/** Returns whether no stream needs the page. */
		public boolean isEmpty() {
			return this.readers.isEmpty();
		}

		/** Returns the position that the page follows, {@code null} for the start. */
		public @Nullable Position from() {
			Position from = this.readers.get(0).cursor.at();
			for (Reader reader : this.readers) {
				Position at = reader.cursor.at();
				if (from != null && (at == null || at.offset() < from.offset())) {
					from = at;
				}
			}
			return from;
		}

		/** It could not be read. */
		public void abandon() {
			this.readers.forEach((reader) -> CatchUps.this.ready.add(reader.stream));
		}

		/** Sends the page, as far as members have room. */
		public void send(TopicHistory history) {
			Section section = new Section(history, this.last);
			for (Reader reader : this.readers) {
				begin(reader, section);
			}
			for (int index = 0; index < section.end; index++) {
				send(index, section);
			}
			for (Reader reader : this.readers) {
				if (reader.full) {
					reader.stream.awaitRoom();
				}
				else if (!reader.stream.catchUp(reader.cursor, this.last)) {
					CatchUps.this.ready.add(reader.stream);
				}
			}
		}

		private void begin(Reader reader, Section section) {
			Position at = reader.cursor.at();
			reader.next = section.follower(at);
			if (reader.next == Section.LOST) {
				reader.next = section.next(at);
				tellGap(reader, section.before(reader.next));
			}
			else if (reader.cursor.gap()) {
				tellGap(reader, at);
			}
		}

		private void tellGap(Reader reader, @Nullable Position at) {
			send(List.of(reader), CatchUps.this.frames.gap(at), at, true);
		}

		private void send(int index, Section section) {
			List<Reader> takers = this.readers.stream()
				.filter((reader) -> reader.next == index && !reader.full)
				.toList();
			TopicEntry entry = section.entries.get(index);
			if (CatchUps.this.feed.wasDeliveredAside(entry.at())) {
				takers.forEach((reader) -> reader.stream.skip(reader.cursor, entry.at()));
			}
			else if (!takers.isEmpty()) {
				send(takers, CatchUps.this.frames.message(entry), entry.at(), false);
			}
			takers.forEach((reader) -> reader.next++);
		}

		private void send(List<Reader> takers, WrittenMessage written, @Nullable Position at, boolean tellsGap) {
			List<OrderedWebSocketSession> sessions = takers.stream().map((reader) -> reader.stream.session()).toList();
			Iterator<Reader> next = takers.iterator();
			CatchUps.this.sends.send(sessions, written, (session) -> {
				Reader reader = next.next();
				CompletableFuture<@Nullable Void> sent = reader.stream.sendMissed(reader.cursor, written, at, tellsGap);
				reader.full = sent == null;
				return (sent != null) ? sent : CompletableFuture.completedFuture(null);
			}, (session, failure) -> {
			});
		}

	}

	/** A member that needs a page. */
	private static final class Reader {

		private final TopicStream stream;

		private final TopicStream.Cursor cursor;

		/** Index of the next message of the page, negative if none. */
		private int next;

		private boolean full;

		Reader(TopicStream stream, TopicStream.Cursor cursor) {
			this.stream = stream;
			this.cursor = cursor;
		}

	}

	/** Range of messages of the history that members may be sent. */
	private static final class Section {

		static final int ELSEWHERE = -1;

		static final int LOST = -2;

		private final List<TopicEntry> entries;

		/** The position that the entries follow. */
		private final @Nullable Position before;

		/** The latest message that has arrived. */
		private final @Nullable Position last;

		/**
		 * Whether the latest message that has arrived is in the range, or may be in a
		 * later one.
		 */
		private final boolean leadsOn;

		private final boolean whole;

		/** End of the range, exclusive. */
		private final int end;

		Section(TopicHistory history, @Nullable Position last) {
			this.entries = history.entries();
			this.before = history.before();
			this.last = last;
			int size = this.entries.size();
			this.whole = size == 0 || this.entries.get(size - 1).at().equals(history.top());
			int latest = indexOf(last);
			this.leadsOn = latest >= 0 || !this.whole;
			this.end = (latest >= 0) ? latest + 1 : this.leadsOn ? size : 0;
		}

		private int indexOf(@Nullable Position at) {
			for (int index = this.entries.size() - 1; index >= 0; index--) {
				if (Objects.equals(this.entries.get(index).at(), at)) {
					return index;
				}
			}
			return -1;
		}

		/** Returns the index of the message after a position. */
		int follower(@Nullable Position at) {
			if (!this.leadsOn) {
				return LOST;
			}
			int index = indexOf(at);
			if (index >= 0 && index < this.end) {
				return index + 1;
			}
			if (at != null && at.equals(this.before)) {
				return 0;
			}
			if (at == null) {
				return (this.entries.get(0).at().offset() == 1) ? 0 : LOST;
			}
			return (!this.whole && at.offset() > this.entries.get(this.entries.size() - 1).at().offset()) ? ELSEWHERE
					: LOST;
		}

		/**
		 * Returns the index of the message with which a member continues whose position
		 * is lost: the first one that it cannot have received, or the end if it continues
		 * after the latest message that has arrived. If the position before the first
		 * message is not known, the first one is part of the gap.
		 */
		int next(@Nullable Position at) {
			int index = this.end;
			while (index > 0 && (at == null || this.entries.get(index - 1).at().offset() > at.offset())) {
				index--;
			}
			return (index == 0 && this.end > 0 && this.before == null) ? 1 : index;
		}

		/** Returns the position that the message at an index follows. */
		@Nullable Position before(int index) {
			if (index > 0) {
				return this.entries.get(index - 1).at();
			}
			return (this.end > 0) ? this.before : this.last;
		}

	}

}
