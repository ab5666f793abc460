package dev.sluice.jdbc.throttle;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Permits of one limit that are held at this node. */
public final class Held {

	/*
	 * A permit is known from when its grant is heard until it is closed or lost. A
	 * renewal names those that are known, so that a grant of which nobody heard ends with
	 * its lease. One that the renewal does not return, or that was not renewed for a
	 * lease, is lost.
	 */

	private final Node node;

	private final BiConsumer<String, String> exit;

	private final Map<String, HeldPermit> permits = new ConcurrentHashMap<>();

	Held(Node node, BiConsumer<String, String> exit) {
		this.node = node;
		this.exit = exit;
	}

	HeldPermit enter(String id, String key, long token, long lease, long askedAt) {
		HeldPermit permit = new HeldPermit(id, key, token, lease, askedAt, this::close);
		this.permits.put(id, permit);
		return permit;
	}

	private void close(HeldPermit permit) {
		this.permits.remove(permit.id());
		this.exit.accept(permit.key(), permit.id());
	}

	public Set<String> ids() {
		return Set.copyOf(this.permits.keySet());
	}

	/** Told which of those that were asked for have been renewed. */
	public void renewed(Set<String> asked, Set<String> renewed, long askedAt) {
		asked.forEach((id) -> {
			HeldPermit permit = this.permits.get(id);
			if (permit != null && renewed.contains(id)) {
				permit.renewed(askedAt);
			}
			else if (permit != null) {
				lose(permit);
			}
		});
	}

	/** Loses those whose lease has ended, as far as this node knows. */
	public void loseOver() {
		this.permits.values().stream().filter(HeldPermit::isOver).forEach(this::lose);
	}

	private void lose(HeldPermit permit) {
		if (this.permits.remove(permit.id(), permit)) {
			this.node.timer().execute(permit::lose);
		}
	}

}
