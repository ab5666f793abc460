package com.example.existing;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Reports over HTTP the state that WebSocket clients cannot observe. */
@RestController
class Facts {

	private final Saved saved;

	private final Closed closed;

	Facts(Saved saved, Closed closed) {
		this.saved = saved;
		this.closed = closed;
	}

	@GetMapping("/saved")
	int saved() {
		return this.saved.count();
	}

	@GetMapping("/closed/{name}")
	String closed(@PathVariable String name) {
		return this.closed.get(name);
	}

}
