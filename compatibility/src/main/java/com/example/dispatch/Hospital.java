package com.example.dispatch;

import java.security.Principal;

import dev.sluice.annotation.Throttled;

import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes calls from hospitals, so many from each. */
@RestController
class Hospital {

	private final Calls calls;

	private final SimpMessagingTemplate board;

	Hospital(Calls calls, SimpMessagingTemplate board) {
		this.calls = calls;
		this.board = board;
	}

	@PostMapping("/calls")
	@Throttled(value = "calls", key = "#caller.name")
	public Call open(@RequestBody String place, Principal caller) {
		Call call = this.calls.open(place);
		this.board.convertAndSend("/topic/calls", call);
		return call;
	}

}
