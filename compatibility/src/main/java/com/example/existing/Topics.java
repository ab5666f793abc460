package com.example.existing;

import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.stereotype.Controller;

/**
 * What {@link EchoHandler} and the others do, by STOMP: clients choose the topic that
 * answers.
 */
@Controller
class Topics {

	private final SimpMessagingTemplate template;

	private final Meetings meetings = new Meetings();

	Topics(SimpMessagingTemplate template) {
		this.template = template;
	}

	@MessageMapping("/length/{topic}")
	void length(@DestinationVariable String topic, String message) {
		send(topic, String.valueOf(message.length()));
	}

	@MessageMapping("/burst/{topic}")
	void burst(@DestinationVariable String topic, String message) {
		int count = Integer.parseInt(message);
		for (int i = 0; i < count; i++) {
			send(topic, Work.message(i));
		}
	}

	@MessageMapping("/slow/{topic}")
	void slow(@DestinationVariable String topic, String message) {
		Work.take();
		send(topic, message);
	}

	@MessageMapping("/waiting/{topic}")
	void waiting(@DestinationVariable String topic, String message) throws InterruptedException {
		if (message.equals("second")) {
			this.meetings.come(topic);
		}
		else {
			send(topic, this.meetings.await(topic));
		}
	}

	private void send(String topic, String message) {
		this.template.convertAndSend("/topic/" + topic, message);
	}

}
