package dev.sluice.compatibility;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A client of STOMP that has subscribed to a topic of its own, to which a destination of
 * the application answers.
 */
final class StompLink implements Link {

	private static final String PROBE = "probe";

	private static final String PROBE_ANSWER = String.valueOf(PROBE.length());

	/** Enough for ten seconds. */
	private static final int PROBES = 200;

	private final CountDownLatch connected = new CountDownLatch(1);

	private final CountDownLatch subscribed = new CountDownLatch(1);

	private final String topic = UUID.randomUUID().toString();

	private final String destination;

	private final Consumer<String> received;

	private final Link link;

	StompLink(Link.Opener opener, int port, String path, String destination, Consumer<String> received,
			Consumer<String> ended) {
		this.destination = destination;
		this.received = received;
		this.link = opener.open(port, path, this::accept, ended);
		this.link.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		await(this.connected, Inbox.PATIENCE.toMillis());
		this.link.send("SUBSCRIBE\nid:0\ndestination:/topic/" + this.topic + "\n\n\0");
		for (int i = 0; i < PROBES && this.subscribed.getCount() > 0; i++) {
			send("length", PROBE);
			await(this.subscribed, 50);
		}
	}

	private static void await(CountDownLatch latch, long millis) {
		try {
			latch.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void accept(String frame) {
		if (frame.startsWith("CONNECTED")) {
			this.connected.countDown();
		}
		else if (frame.startsWith("MESSAGE")) {
			String body = frame.substring(frame.indexOf("\n\n") + 2, frame.length() - 1);
			if (body.equals(PROBE_ANSWER)) {
				this.subscribed.countDown();
			}
			else {
				this.received.accept(body);
			}
		}
	}

	@Override
	public void send(String text) {
		send(this.destination, text);
	}

	private void send(String destination, String text) {
		this.link.send("SEND\ndestination:/app/" + destination + "/" + this.topic + "\n\n" + text + "\0");
	}

	@Override
	public void close() {
		this.link.close();
	}

}
