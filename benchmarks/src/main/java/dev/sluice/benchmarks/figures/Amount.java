package dev.sluice.benchmarks.figures;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cell of a report that begins with a number.
 *
 * @param value the number
 * @param unit its unit
 * @param title the remaining text, such as the name of a peer; may be empty
 */
record Amount(double value, String unit, String title) {

	private static final Pattern PATTERN = Pattern.compile("(\\d[\\d,.]*(?:e[+-]\\d+)?) (\\S+)(?: (.*))?");

	static Optional<Amount> of(String cell) {
		Matcher matcher = PATTERN.matcher(cell);
		if (!matcher.matches()) {
			return Optional.empty();
		}
		String title = (matcher.group(3) != null) ? matcher.group(3) : "";
		return Optional.of(new Amount(Double.parseDouble(matcher.group(1).replace(",", "")), matcher.group(2), title));
	}

	/** The cell without the title. */
	String text(String cell) {
		return cell.substring(0, cell.length() - this.title.length()).strip();
	}

}
