package dev.sluice.autoconfigure.properties;

/**
 * Properties that tell which of their values are out of range. No {@code Validator}, as
 * these are beans, and one of that type is what an application may inject.
 */
public interface CheckedProperties {

	/**
	 * Rejects the values that are out of range.
	 * @param rules what values are rejected by
	 */
	void check(PropertyRules rules);

}
