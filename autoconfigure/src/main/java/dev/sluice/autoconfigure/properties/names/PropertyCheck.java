package dev.sluice.autoconfigure.properties.names;

import java.util.Collection;

import dev.sluice.autoconfigure.properties.BooleanProperty;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.properties.NamedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.function.SingletonSupplier;

/**
 * Stops the start if a property below {@code sluice} has an unknown name, which would
 * have no effect, if a value is not of its type, also where its part is absent or off, or
 * if a time or size has no unit, which would count as milliseconds or bytes. Runs before
 * any bean is created, because a mistyped name makes other beans fail. As in Boot, names
 * in the environment and in system properties are not checked, because other programs add
 * their own there.
 */
final class PropertyCheck {

	private static final Log logger = LogFactory.getLog(PropertyCheck.class);

	private final ConfigurableEnvironment environment;

	/** Created when the first name below {@code sluice} is looked up. */
	private final SingletonSupplier<PropertyNames> names = SingletonSupplier.of(PropertyNames::new);

	PropertyCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	void check() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources
			.from(this.environment.getPropertySources())) {
			if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> named) {
				TopicPatterns.check(named);
			}
			if (source instanceof IterableConfigurationPropertySource properties) {
				properties.stream().filter(PropertyNames::own).forEach((name) -> check(name, properties));
				if (!isShared(source)) {
					properties.stream()
						.filter((name) -> !PropertyNames.own(name) && MisplacedProperties.isCandidate(name))
						.forEach(this::reportMisplaced);
				}
			}
		}
	}

	private void reportMisplaced(ConfigurationPropertyName name) {
		ConfigurationPropertyName meant = MisplacedProperties.meant(name, this.names.obtain()).orElse(null);
		if (meant != null) {
			logger.warn("Property '" + name + "' is no property of Sluice and has no effect on it. Did you mean '"
					+ meant + "'?");
		}
	}

	private void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		if (property == null) {
			return;
		}
		PropertyNames names = this.names.obtain();
		NamedProperties list = names.listed(name);
		if (list != null) {
			throw new InvalidConfigurationException("Property '" + name + "' is of a list" + origin(property)
					+ ", and each " + list.kind() + " has a name",
					list.form() + "In YAML, write the name and a colon in place of '-'.");
		}
		String units = names.units(name, property.getValue());
		if (units != null && lacksUnit(property.getValue())) {
			throw new InvalidConfigurationException(
					"Property '" + name + "' has no unit: " + property.getValue() + origin(property),
					"Add one to '%s', such as %s.".formatted(name, units));
		}
		Class<?> type = names.type(name);
		if (type != null) {
			checkValue(name, type);
		}
		else if (!isShared(source)) {
			throw new InvalidConfigurationException("Property '" + name + "' is unknown" + origin(property),
					names.remedy(name) + "Correct the name, or remove '" + name + "'.");
		}
	}

	/** Values of parts that are absent or off are checked, too. */
	private void checkValue(ConfigurationPropertyName name, Class<?> type) {
		if (type == Boolean.class || type == boolean.class) {
			BooleanProperty.isOn(this.environment, name.toString(), false);
		}
		else if (!Collection.class.isAssignableFrom(type)) {
			Binder.get(this.environment).bind(name, Bindable.of(type));
		}
	}

	private boolean lacksUnit(@Nullable Object value) {
		return (value instanceof CharSequence || value instanceof Number)
				&& PropertyRules.lacksUnit(this.environment.resolvePlaceholders(value.toString()));
	}

	private static boolean isShared(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof PropertySource<?> underlying
				&& (underlying instanceof SystemEnvironmentPropertySource
						|| underlying.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME));
	}

	private static String origin(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		return (origin != null) ? " (" + origin + ')' : "";
	}

}
