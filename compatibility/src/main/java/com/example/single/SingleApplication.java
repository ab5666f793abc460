package com.example.single;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Has a typed session, and a journal of the messages that it sends. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class SingleApplication {

	private final List<SentMessage> sent = new CopyOnWriteArrayList<>();

	@Bean
	SentMessageJournal journal() {
		return this.sent::addAll;
	}

	@GetMapping("/journal")
	List<String> sent() {
		return this.sent.stream().map((message) -> message.outcome().name()).toList();
	}

	public static void main(String[] args) {
		SpringApplication.run(SingleApplication.class, args);
	}

}
