package dev.sluice.cluster.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.presence.PresenceEvents;

/** Events of topics, sent among their messages. */
final class TopicEvents implements PresenceEvents {

	private final String node;

	private final OpenRequests requests;

	private final TopicPayload payloads;

	private final ByTopic<HistoryLimits> histories;

	TopicEvents(String node, OpenRequests requests, TopicPayload payloads, ByTopic<HistoryLimits> histories) {
		this.node = node;
		this.requests = requests;
		this.payloads = payloads;
		this.histories = histories;
	}

	@Override
	public String nameOf(String topic) {
		return LocalTopics.PREFIX + topic;
	}

	@Override
	public Publication joined(String topic, String principal) {
		return event(topic, List.of(principal), List.of());
	}

	@Override
	public Publication left(String topic, String principal) {
		return event(topic, List.of(), List.of(principal));
	}

	private Publication event(String topic, List<String> joined, List<String> left) {
		Map<String, Object> event = new LinkedHashMap<>();
		event.put("type", "presence");
		event.put("joined", joined);
		event.put("left", left);
		return new Publication(nameOf(topic), ReceiptBook.messageId(this.node, this.requests.nextNumber()),
				this.payloads.write(event, false, Map.of()), this.histories.of(topic), false);
	}

}
