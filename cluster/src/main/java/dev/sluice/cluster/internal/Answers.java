package dev.sluice.cluster.internal;

import dev.sluice.bus.ClusterBus;

/** Sender of answers to the nodes that wait for them. */
final class Answers {

	private final ClusterBus bus;

	private final FrameCodec codec;

	private final OpenRequests own;

	Answers(ClusterBus bus, FrameCodec codec, OpenRequests own) {
		this.bus = bus;
		this.codec = codec;
		this.own = own;
	}

	/** Sends an answer; a lost answer is requested again. */
	void send(String origin, Answer answer) {
		if (origin.equals(this.bus.node())) {
			this.own.answered(answer);
		}
		else {
			this.bus.send(origin, this.codec.write(answer));
		}
	}

}
