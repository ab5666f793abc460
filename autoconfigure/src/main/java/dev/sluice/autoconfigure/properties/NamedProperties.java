package dev.sluice.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Properties of items that the application names, such as
 * {@code sluice.throttles.<name>.limit}.
 *
 * @param kind the name of the kind of item
 * @param prefix the prefix before its name
 * @param options the names of its options, with their types
 */
public record NamedProperties(String kind, ConfigurationPropertyName prefix, Map<String, Class<?>> options) {

	public static NamedProperties of(String kind, String prefix, Class<?> type) {
		Map<String, Class<?>> options = new TreeMap<>();
		collect("", type, options);
		return new NamedProperties(kind, ConfigurationPropertyName.of(prefix), options);
	}

	/** Adds the names of properties that are bound to a record, and their types. */
	public static void collect(String prefix, Class<?> type, Map<String, Class<?>> types) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				collect(name + '.', component.getType(), types);
			}
			else {
				types.put(name, component.getType());
			}
		}
	}

	public boolean isOption(ConfigurationPropertyName name) {
		return this.prefix.isAncestorOf(name) && name.getNumberOfElements() > length() + 1;
	}

	/** Returns whether a property is of an item of a list, which has no name. */
	public boolean isListed(ConfigurationPropertyName name) {
		return this.prefix.isAncestorOf(name) && name.isNumericIndex(length())
				&& name.getElement(length(), Form.ORIGINAL).equals("0");
	}

	public String option(ConfigurationPropertyName name) {
		return name.subName(length() + 1).toString();
	}

	private int length() {
		return this.prefix.getNumberOfElements();
	}

	/** Returns whether a property is the group, or an item without an option. */
	public boolean lacksOption(ConfigurationPropertyName name) {
		return this.prefix.equals(name) || this.prefix.isParentOf(name);
	}

	/** Returns the text to suggest in place of a property that names no option. */
	public String form() {
		return "Write '%s.<name>.<option>'. A %s has the options %s. ".formatted(this.prefix, this.kind,
				String.join(", ", this.options.keySet()));
	}

	/** Returns the text to suggest in place of an unknown option. */
	public String remedy(ConfigurationPropertyName name) {
		String last = name.getLastElement(Form.DASHED);
		if (name.getNumberOfElements() > length() + 2 && this.options.containsKey(last)) {
			String named = name.chop(name.getNumberOfElements() - 1).subName(length()).toString();
			return "If the %s is called '%s', write '%s.[%2$s].%s'. ".formatted(this.kind, named, this.prefix, last);
		}
		return NearestName.question(option(name), this.options.keySet(), name.chop(length() + 1) + ".") + "A "
				+ this.kind + " has the options " + String.join(", ", this.options.keySet()) + ". ";
	}

	/** Returns the same name below this prefix, if it is long enough. */
	public Optional<String> alike(ConfigurationPropertyName name) {
		return (name.getNumberOfElements() > length() + 1)
				? Optional.of(this.prefix.append(name.subName(length())).toString()) : Optional.empty();
	}

}
