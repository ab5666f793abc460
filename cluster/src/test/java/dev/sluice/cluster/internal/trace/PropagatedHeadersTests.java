package dev.sluice.cluster.internal.trace;

import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PropagatedHeadersTests {

	private static final Map<String, String> HEADERS = Map.of("traceparent", "00-0af7651916cd43dd-b7ad6b71-01", "@\"",
			"\"@");

	@ParameterizedTest
	@ValueSource(strings = { "", "{\"a\":1}", "text", "@", "@2@{}", "@@" })
	void headersAndTextAreReadAsTheyWereWritten(String text) {
		String written = "x" + PropagatedHeaders.write(HEADERS, text);
		assertThat(PropagatedHeaders.of(written, 1)).isEqualTo(HEADERS);
		assertThat(PropagatedHeaders.text(written, 1)).isEqualTo(text);
		String bare = PropagatedHeaders.write(Map.of(), text);
		assertThat(PropagatedHeaders.of(bare, 0)).isEmpty();
		assertThat(PropagatedHeaders.text(bare, 0)).isEqualTo(text);
	}

	@Test
	void aTextWithoutHeadersTakesNoByteMore() {
		assertThat(PropagatedHeaders.write(Map.of(), "text")).isSameAs("text");
		assertThat(PropagatedHeaders.text("text", 0)).isSameAs("text");
	}

	@Test
	void headersAreBoundedByNumber() {
		Map<String, String> many = new LinkedHashMap<>();
		for (int index = 0; index < 100; index++) {
			many.put("header" + index, "value");
		}
		assertThat(PropagatedHeaders.bounded(many)).hasSize(8).containsKeys("header0", "header7");
	}

	@Test
	void headersAreBoundedByLength() {
		Map<String, String> large = new LinkedHashMap<>();
		large.put("baggage", "x".repeat(1020));
		large.put("traceparent", "00-0af7651916cd43dd-b7ad6b71-01");
		assertThat(PropagatedHeaders.bounded(large)).containsOnlyKeys("traceparent");
		assertThat(PropagatedHeaders.of(PropagatedHeaders.write(large, "text"), 0)).containsOnlyKeys("traceparent");
	}

}
