package dev.sluice.autoconfigure.properties;

/**
 * Properties that validate their own ranges. No {@code Validator}: properties are beans,
 * and a bean of that type could be injected into the application.
 */
public interface CheckedProperties {

	/**
	 * Rejects the values that are out of range.
	 * @param rules the rules that reject values
	 */
	void check(PropertyRules rules);

}
