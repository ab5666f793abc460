package dev.sluice.benchmarks.cluster;

import java.util.function.Consumer;

/**
 * A client in a room, which resumes with its position, and counts the messages it misses,
 * which are numbered from 0. Its methods are called on one thread.
 */
abstract class RoomClient {

	private final int room;

	private boolean joined;

	private int latest = -1;

	private int missing;

	private int doubled;

	private int resumes;

	private int losses;

	private long heardAt;

	private long longestSilence;

	RoomClient(int room) {
		this.room = room;
	}

	/** Returns the path to connect to. */
	abstract String path();

	/** A connection is open, over which texts go out. */
	abstract void opened(Consumer<String> connection);

	/** A text has arrived over it. */
	abstract void received(String text, Consumer<String> connection);

	/** Returns after how many seconds it comes back. */
	abstract double backOff();

	/** Has lost its connection. */
	void closed() {
		this.joined = false;
	}

	/** Is in its room for the first time. */
	void joined() {
		this.joined = true;
	}

	/** Is back in its room, with its session or a new one. */
	void back(boolean resumed) {
		this.joined = true;
		this.resumes += resumed ? 1 : 0;
		this.losses += resumed ? 0 : 1;
	}

	void take(String message) {
		int number = ClusterNode.number(message);
		this.doubled += (number <= this.latest) ? 1 : 0;
		this.missing += Math.max(0, number - this.latest - 1);
		this.latest = Math.max(this.latest, number);
		long now = System.nanoTime();
		if (this.heardAt != 0) {
			this.longestSilence = Math.max(this.longestSilence, now - this.heardAt);
		}
		this.heardAt = now;
	}

	/** Silence counts from now on. */
	void listen() {
		this.heardAt = System.nanoTime();
		this.longestSilence = 0;
	}

	int room() {
		return this.room;
	}

	boolean isJoined() {
		return this.joined;
	}

	int latest() {
		return this.latest;
	}

	/** Returns whether it has lost and got twice nothing, and never its session. */
	boolean isWhole() {
		return this.missing == 0 && this.doubled == 0 && this.losses == 0;
	}

	int missing() {
		return this.missing;
	}

	int doubled() {
		return this.doubled;
	}

	int resumes() {
		return this.resumes;
	}

	long longestSilence() {
		return this.longestSilence;
	}

}
