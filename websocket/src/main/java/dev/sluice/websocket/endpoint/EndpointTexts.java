package dev.sluice.websocket.endpoint;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.websocket.InvalidEndpointException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Check of the texts of an endpoint's annotation. A text that no request can match stops
 * the start; a text that likely has another meaning than intended is logged.
 */
final class EndpointTexts {

	private static final Log logger = LogFactory.getLog(EndpointTexts.class);

	/**
	 * The variable of a path in the syntax of other routers, at the start of a segment.
	 */
	private static final Pattern COLON_VARIABLE = Pattern.compile("(?:^|/):([A-Za-z_]\\w*)(?=/|$)");

	/** A name as other template languages write a variable. */
	private static final Pattern OTHER_VARIABLE = Pattern
		.compile("(?:[$#](\\w+)|<(\\w+)>|%(\\w+)%|(?:^|/):(\\w+)(?=/|$))");

	/** A token of HTTP, as a sub-protocol is. */
	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	private final Class<?> type;

	EndpointTexts(Class<?> type) {
		this.type = type;
	}

	/**
	 * Checks a path.
	 * @throws InvalidEndpointException if no request can have it
	 */
	void checkPath(String path) {
		try {
			PathPatternParser.defaultInstance.parse(path);
		}
		catch (PatternParseException ex) {
			throw new InvalidEndpointException(this.type,
					"Its path '" + path + "' is invalid at position " + ex.getPosition() + ": " + ex.getMessage(),
					"Write a path such as '/rooms/{room}' or '/files/{*file}'.");
		}
		String literal = path.replaceAll("\\{[^/]*}", "");
		if (literal.contains("://") || literal.contains("#") && path.contains("#{")) {
			throw new InvalidEndpointException(this.type,
					"Its path '" + path + "' cannot be the path of a request, as it has "
							+ (literal.contains("#") ? "a '#'" : "a scheme"),
					"Name the path within the application alone, as in '/rooms/{room}'.");
		}
		if (literal.contains("#")) {
			warn("path '" + path + "' has a '#', which ends the path in the URL of a client",
					"Remove it, or have clients write it as '%23'");
		}
		Matcher variable = COLON_VARIABLE.matcher(literal);
		if (variable.find()) {
			warn("path '" + path + "' has ':" + variable.group(1) + "', which is no variable",
					"Write a variable as '{" + variable.group(1) + "}'");
		}
		if (literal.contains("?") && literal.indexOf('=') > literal.indexOf('?')) {
			warn("path '" + path + "' has a query, and '?' stands for any letter of a path",
					"Remove the query, which uri() returns");
		}
		if (!path.equals(path.strip())) {
			warn("path '" + path + "' begins or ends with a blank", "Remove the blank");
		}
		if (literal.contains(",/")) {
			warn("path '" + path + "' is one path with a comma",
					"Write several paths as path = { \"/rooms\", \"/lobby\" }");
		}
	}

	/**
	 * Checks a topic.
	 * @param paths the paths, of whose variables it may have the values
	 */
	void checkTopic(String topic, List<String> paths) {
		boolean fixed = !topic.contains("{");
		Matcher other = OTHER_VARIABLE.matcher(topic);
		while (fixed && other.find()) {
			for (int group = 1; group <= other.groupCount(); group++) {
				String name = other.group(group);
				if (name != null && paths.stream().anyMatch((path) -> hasVariable(path, name))) {
					warn("topic '" + topic + "' has '" + other.group() + "', which is no variable",
							"Write the variable of the path as '{" + name + "}'");
				}
			}
		}
		if (fixed && topic.contains(",")) {
			warn("topic '" + topic + "' is one topic with a comma",
					"Write several topics as topics = { \"lobby\", \"news\" }");
		}
		if (fixed && topic.endsWith("*")) {
			warn("topic '" + topic + "' is one topic of that name, and no pattern",
					"Name the topics, or join others with Topic.join");
		}
		if (!topic.equals(topic.strip())) {
			warn("topic '" + topic + "' begins or ends with a blank", "Remove the blank");
		}
	}

	private static boolean hasVariable(String path, String name) {
		return Pattern.compile("\\{\\*?" + name + "[:}]").matcher(path).find();
	}

	/**
	 * Checks a sub-protocol.
	 * @throws InvalidEndpointException if no client can request it
	 */
	void checkSubProtocol(String subProtocol) {
		if (!TOKEN.matcher(subProtocol).matches()) {
			throw new InvalidEndpointException(this.type,
					"Its sub-protocol '" + subProtocol + "' cannot be requested, as a sub-protocol has no blanks, "
							+ "commas or brackets",
					"Write several as subProtocols = { \"v1\", \"v2\" }, or remove 'subProtocols'.");
		}
	}

	private void warn(String problem, String remedy) {
		logger.warn("Endpoint " + this.type.getName() + ": the " + problem + ". " + remedy);
	}

}
