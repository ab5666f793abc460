package com.example.existing;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import tools.jackson.databind.json.JsonMapper;

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
