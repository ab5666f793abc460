package dev.sluice.cluster.internal.settings;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.bus.ClusterBus;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.NodeJson;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Settings that all nodes of a cluster must share. Each node announces its own; a node
 * that receives different ones logs the difference and replies with its own.
 */
public final class SharedSettings {

	/*
	 * A reply is not replied to, so two nodes exchange at most two messages for each
	 * announcement. A difference is logged once, whichever nodes have it; at most
	 * MAX_LOGGED differences are logged.
	 *
	 * Attacked by SharedSettingsTests.
	 */

	private static final Log logger = LogFactory.getLog(SharedSettings.class);

	private static final String SETTINGS = "settings";

	private static final int MAX_LOGGED = 100;

	private final JsonMapper mapper = NodeJson.mapper();

	private final ClusterBus bus;

	private final NanoClock clock;

	private final Duration retry;

	private final Map<String, String> own;

	private final Set<String> logged = new LinkedHashSet<>();

	/**
	 * Whether a failed announcement is to be repeated, so that failures do not add up.
	 */
	private final AtomicBoolean retrying = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Creates the settings of this node; nothing is announced yet.
	 * @param retry the time after which an announcement that failed is repeated
	 * @param own the values by the names of their properties
	 */
	public SharedSettings(ClusterBus bus, NanoClock clock, Duration retry, Map<String, String> own) {
		this.bus = bus;
		this.clock = clock;
		this.retry = retry;
		this.own = Map.copyOf(own);
	}

	/** Announces the settings of this node, as often as needed. */
	public void announce() {
		this.bus.broadcast(write(false)).whenComplete((nodes, failure) -> {
			if (failure != null && !this.closed && this.retrying.compareAndSet(false, true)) {
				this.clock.schedule(() -> {
					this.retrying.set(false);
					announce();
				}, this.retry);
			}
		});
	}

	private String write(boolean reply) {
		ObjectNode frame = this.mapper.createObjectNode();
		ObjectNode values = frame.putObject(SETTINGS);
		new TreeMap<>(this.own).forEach(values::put);
		return NodeJson.write(frame.put("from", this.bus.node()).put("reply", reply));
	}

	/**
	 * Handles a message of another node.
	 * @return whether it has settings
	 * @throws RuntimeException if it begins as settings and cannot be read
	 */
	public boolean received(String frame) {
		if (!frame.startsWith("{\"" + SETTINGS + '"')) {
			return false;
		}
		JsonNode message = this.mapper.readTree(frame);
		String node = message.required("from").asString();
		if (!node.equals(this.bus.node()) && isDifferent(node, message.required(SETTINGS))
				&& !message.required("reply").asBoolean()) {
			this.bus.send(node, write(true));
		}
		return true;
	}

	private boolean isDifferent(String node, JsonNode others) {
		boolean different = false;
		Set<String> properties = new TreeSet<>(this.own.keySet());
		properties.addAll(others.propertyNames());
		for (String property : properties) {
			String here = this.own.get(property);
			JsonNode value = others.get(property);
			String there = (value != null) ? value.asString() : null;
			if (here == null || !here.equals(there)) {
				different = true;
				log(node, "'" + property + "' is " + text(here) + " here and " + text(there));
			}
		}
		return different;
	}

	private static String text(@Nullable String value) {
		return (value != null) ? value : "not set";
	}

	private void log(String node, String difference) {
		if (isNew(difference)) {
			logger.warn("The nodes of the cluster have different settings: " + difference + " at node " + node
					+ ". Set the same value on all nodes.");
		}
	}

	private synchronized boolean isNew(String difference) {
		return this.logged.size() < MAX_LOGGED && this.logged.add(difference);
	}

	/** Ends the announcements. */
	public void close() {
		this.closed = true;
	}

}
