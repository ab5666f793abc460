package dev.sluice.autoconfigure.batch;

import java.util.Collection;
import java.util.LinkedHashMap;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.properties.NearestName;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Options of batches by their names. */
@ConfigurationProperties(SluiceBatchProperties.PREFIX)
public class SluiceBatchProperties extends LinkedHashMap<String, BatchProperties> {

	public static final String PREFIX = "sluice.batches";

	private static final long serialVersionUID = 1L;

	/** Returns the options of a batch, or the defaults. */
	BatchProperties of(String name) {
		return getOrDefault(name, BatchProperties.DEFAULTS);
	}

	/**
	 * Rejects options of unknown batches.
	 * @param names the names of the batches
	 */
	void checkNames(Collection<String> names) {
		for (String name : keySet()) {
			if (!names.contains(name)) {
				throw new InvalidConfigurationException(
						"Property '" + PREFIX + '.' + name + "' is for a batch that nothing listens to",
						NearestName.question(name, names, PREFIX + '.') + "Annotate a method with @BatchListener(\""
								+ name + "\"), or remove the property.");
			}
		}
	}

}
