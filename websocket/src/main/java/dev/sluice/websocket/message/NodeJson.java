package dev.sluice.websocket.message;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON that nodes write for each other and read again. The reader has no limits of its
 * own, so it accepts any text that was written. All text survives: surrogates are
 * escaped, as UTF-8 cannot encode one without its other half.
 */
public final class NodeJson {

	private static final int LAST_BEFORE_SURROGATES = Character.MIN_SURROGATE - 1;

	/*
	 * Names are not kept in a symbol table: it rejects names that collide, and clients
	 * choose the names of headers.
	 */
	private static final JsonFactory FACTORY = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(Integer.MAX_VALUE)
			.maxNumberLength(Integer.MAX_VALUE)
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(Integer.MAX_VALUE)
			.build())
		.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
		.highestNonEscapedChar(LAST_BEFORE_SURROGATES)
		.build();

	/** Reads JSON that an application has written with any settings of its mapper. */
	private static final JsonMapper LENIENT = JsonMapper.builder(FACTORY)
		.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS, JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
		.build();

	private static final JsonMapper MAPPER = new JsonMapper(FACTORY);

	private NodeJson() {
	}

	/** Returns the mapper. */
	public static JsonMapper mapper() {
		return MAPPER;
	}

	/** Writes an object, whose text nodes may have any characters. */
	public static String write(JsonNode node) {
		return MAPPER.writeValueAsString(node);
	}

	/** Binds JSON that the mapper of an application has written. */
	public static <T> @Nullable T bind(String json, JsonMapper application, Class<T> type) {
		try (JsonParser parser = LENIENT.createParser(json)) {
			return application.readValue(parser, type);
		}
	}

}
