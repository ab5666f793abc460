package dev.sluice.websocket.endpoint;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonView;
import dev.sluice.websocket.message.JsonMessages;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ResolvableType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.mock.http.MockHttpInputMessage;

import static org.assertj.core.api.Assertions.assertThat;

/** Each message is read as the body of a request, by each mapper. */
class RequestBodyBindingTests {

	private static final Map<String, JsonMapper> MAPPERS = mappers();

	@ParameterizedTest(name = "{0}: {1} from {2}")
	@MethodSource("cases")
	void aMessageIsReadAsABody(String mapper, Class<?> type, String properties, @Nullable Class<?> view)
			throws Exception {
		Object body = body(MAPPERS.get(mapper), type, "{" + properties + "}", view);
		String separator = properties.isEmpty() ? "" : ",";
		for (String message : List.of("{\"type\":\"x\"" + separator + properties + "}",
				"{" + properties + separator + "\"type\":\"x\"}")) {
			assertThat(message(MAPPERS.get(mapper), type, message, view)).as(message).isEqualTo(body);
		}
	}

	static Stream<Object[]> cases() {
		List<Object[]> cases = new ArrayList<>();
		for (String mapper : MAPPERS.keySet()) {
			add(cases, mapper, Money.class, "'v':12345678901234567.89", "'v':12.50", "'v':1e400", "'v':'12.50'",
					"'v':{}", "'v':null", "", "'v':12.50,'more':1", "'v':1,'v':2");
			add(cases, mapper, Whole.class, "'v':123456789012345678901234567890", "'v':1.5", "'v':''", "'v':true");
			add(cases, mapper, Numbers.class, "'i':1,'l':9007199254740993,'d':0.1,'f':1.5", "'i':1.7", "'i':'1'",
					"'i':null", "'i':3000000000", "'b':'true'", "'b':1");
			add(cases, mapper, Bean.class, "'firstName':'a','birthDay':'2020-01-02'", "'first_name':'a'",
					"'FIRSTNAME':'a'", "'nested':{'type':'y'}", "'nested':{'n':1}", "'at':'2020-01-02T03:04:05Z'",
					"'at':1.5");
			add(cases, mapper, Order.class, "'item':{'n':1}", "'item':{'type':'y','n':1}", "'items':[{'n':1.5}]",
					"'self':{'item':null,'other':1}", "'maybe':{'n':2}", "'side':'BUY'", "'side':'buy'", "'side':0");
			add(cases, mapper, Pair.class, "'kind':'circle','radius':1", "'radius':1,'kind':'circle'", "'kind':'no'");
			add(cases, mapper, Built.class, "'value':1.50", "'value':1,'other':2");
			add(cases, mapper, Created.class, "'value':1.50", "'alias':1.50");
			add(cases, mapper, Ignoring.class, "'n':1,'ignored':2");
			add(cases, mapper, Unwrapping.class, "'n':1,'m':2");
			add(cases, mapper, Mixed.class, "'mixed':1", "'value':1");
		}
		for (Class<?> view : List.of(Summary.class, Detail.class)) {
			cases.add(new Object[] { "default", Viewed.class, "\"open\":1,\"secret\":2", view });
			cases.add(new Object[] { "strict", Viewed.class, "\"open\":1,\"secret\":2", view });
		}
		return cases.stream();
	}

	/** They have the type themselves, as the body has. */
	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("own")
	void aMessageWithItsTypeIsReadAsABody(String mapper, Class<?> type, String json) throws Exception {
		assertThat(message(MAPPERS.get(mapper), type, json, null))
			.isEqualTo(body(MAPPERS.get(mapper), type, json, null));
	}

	static Stream<Object[]> own() {
		List<Object[]> cases = new ArrayList<>();
		for (String mapper : MAPPERS.keySet()) {
			for (Class<?> type : List.of(Map.class, Object.class, JsonNode.class, Open.class, Typed.class,
					Renamed.class, Shape.class)) {
				for (String json : List.of("{'type':'circle','radius':12345678901234567.89}",
						"{'radius':12.50,'type':'circle'}", "{'type':'none'}", "{'type':'circle','type':'b'}",
						"{'type':'circle'")) {
					cases.add(new Object[] { mapper, type, json.replace('\'', '"') });
				}
			}
		}
		return cases.stream();
	}

	private static void add(List<Object[]> cases, String mapper, Class<?> type, String... properties) {
		for (String one : properties) {
			cases.add(new Object[] { mapper, type, one.replace('\'', '"'), null });
		}
	}

	private static Map<String, JsonMapper> mappers() {
		Map<String, JsonMapper> mappers = new LinkedHashMap<>();
		mappers.put("default", builder().build());
		mappers.put("strict",
				builder()
					.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
							DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
							DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
							DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
					.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
					.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
					.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
					.build());
		mappers.put("snake case",
				builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
					.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
					.build());
		mappers.put("lenient", builder()
			.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES, MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.USE_BIG_INTEGER_FOR_INTS,
					DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
			.enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
			.build());
		return mappers;
	}

	private static JsonMapper.Builder builder() {
		return JsonMapper.builder().addMixIn(Mixed.class, MixIn.class);
	}

	private static Object message(JsonMapper mapper, Class<?> type, String json, @Nullable Class<?> view) {
		try {
			Object message = new JsonMessages(mapper, "type").reader(type, view).readValue(json);
			return String.valueOf(message);
		}
		catch (JacksonException ex) {
			return "rejected";
		}
	}

	private static Object body(JsonMapper mapper, Class<?> type, String json, @Nullable Class<?> view)
			throws Exception {
		try {
			return String.valueOf(new JacksonJsonHttpMessageConverter(mapper).read(ResolvableType.forClass(type),
					new MockHttpInputMessage(json.getBytes(StandardCharsets.UTF_8)),
					(view != null) ? Map.of(JsonView.class.getName(), view) : null));
		}
		catch (HttpMessageNotReadableException ex) {
			return "rejected";
		}
	}

	record Money(BigDecimal v) {
	}

	record Whole(BigInteger v) {
	}

	record Numbers(int i, long l, double d, float f, boolean b) {
	}

	static class Bean {

		public String firstName;

		public LocalDate birthDay;

		public Instant at;

		public Item nested;

		@Override
		public String toString() {
			return this.firstName + " " + this.birthDay + " " + this.at + " " + this.nested;
		}

	}

	record Item(int n) {
	}

	record Order(Item item, List<Item> items, Order self, Optional<Item> maybe, Side side) {
	}

	@EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
	enum Side {

		BUY, SELL

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Round.class, name = "circle"))
	interface Pair {

	}

	record Round(int radius) implements Pair {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Shape {

	}

	record Circle(BigDecimal radius) implements Shape {
	}

	record Typed(String type, BigDecimal radius) {
	}

	record Renamed(@JsonProperty("type") String kind, BigDecimal radius) {
	}

	static class Open {

		private final Map<String, Object> all = new LinkedHashMap<>();

		@JsonAnySetter
		void put(String name, Object value) {
			this.all.put(name, value);
		}

		@Override
		public String toString() {
			return this.all.toString();
		}

	}

	@JsonDeserialize(builder = Builder.class)
	record Built(BigDecimal value) {
	}

	@JsonPOJOBuilder(withPrefix = "")
	static class Builder {

		private BigDecimal value;

		Builder value(BigDecimal set) {
			this.value = set;
			return this;
		}

		Built build() {
			return new Built(this.value);
		}

	}

	static final class Created {

		private final BigDecimal value;

		private Created(BigDecimal value) {
			this.value = value;
		}

		@JsonCreator
		static Created of(@JsonProperty("value") @JsonAlias("alias") BigDecimal value) {
			return new Created(value);
		}

		@Override
		public String toString() {
			return "created " + this.value;
		}

	}

	@JsonIgnoreProperties("ignored")
	record Ignoring(@JsonFormat(shape = JsonFormat.Shape.STRING) int n) {
	}

	static class Unwrapping {

		public int m;

		@JsonUnwrapped
		public Item item;

		@Override
		public String toString() {
			return this.m + " " + this.item;
		}

	}

	record Mixed(int value) {
	}

	record MixIn(@JsonProperty("mixed") int value) {
	}

	interface Summary {

	}

	interface Detail extends Summary {

	}

	static class Viewed {

		@JsonView(Summary.class)
		public int open;

		@JsonView(Detail.class)
		public int secret;

		@Override
		public String toString() {
			return this.open + " " + this.secret;
		}

	}

}
