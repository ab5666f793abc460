package dev.sluice.autoconfigure.properties;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/** Reads properties that are on or off. */
public final class BooleanProperty {

	private BooleanProperty() {
	}

	/**
	 * Returns whether a property is on, as Boot binds it.
	 * @param environment the properties
	 * @param name the name of the property
	 * @param missing the result if the property is not set
	 * @throws InvalidConfigurationException if its value is not a boolean
	 */
	public static boolean isOn(Environment environment, String name, boolean missing) {
		if (!environment.containsProperty(name)) {
			return missing; // as most are; a binder costs more than all these look-ups
		}
		try {
			return Binder.get(environment).bind(name, Bindable.of(Boolean.class)).orElse(missing);
		}
		catch (BindException ex) {
			ConfigurationProperty property = ex.getProperty();
			Origin origin = Origin.from(property);
			throw new InvalidConfigurationException(
					"Property '" + name + "' must be true or false"
							+ ((property != null) ? ": " + property.getValue() : "")
							+ ((origin != null) ? " (" + origin + ')' : ""),
					"Correct '" + name + "', or remove it to have the default.", ex);
		}
	}

}
