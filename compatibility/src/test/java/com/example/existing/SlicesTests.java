package com.example.existing;

import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.web.SluiceWebMvcAutoConfiguration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** Slices of the application, with the starter on the class path. */
class SlicesTests {

	@Nested
	@WebMvcTest(controllers = Facts.class)
	@Import({ Saved.class, Closed.class })
	class Mvc {

		@Autowired
		private MockMvcTester mvc;

		@Autowired
		private Saved saved;

		@Test
		void controllersAnswer() {
			this.saved.save();
			assertThat(this.mvc.get().uri("/saved")).hasStatusOk().bodyText().isEqualTo("1");
		}

	}

	@Nested
	@WebMvcTest(controllers = Quotes.class, properties = "sluice.store.type=memory")
	@ImportAutoConfiguration({ SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class,
			SluiceWebMvcAutoConfiguration.class })
	@Import(Quotes.class)
	class Limits {

		@Autowired
		private MockMvcTester mvc;

		@Test
		void limitsApply() {
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
			assertThat(this.mvc.get().uri("/quotes")).hasStatus(HttpStatus.TOO_MANY_REQUESTS);
		}

	}

	@RestController
	static class Quotes {

		@GetMapping("/quotes")
		@Throttled(value = "quotes", limit = 1, period = "1h")
		String quote() {
			return "7";
		}

	}

	@Nested
	@JsonTest
	class Json {

		@Autowired
		private JsonMapper mapper;

		@Test
		void objectsAreWritten() {
			assertThat(this.mapper.writeValueAsString(new Point(1, 2))).isEqualTo("{\"x\":1,\"y\":2}");
		}

		record Point(int x, int y) {
		}

	}

}
