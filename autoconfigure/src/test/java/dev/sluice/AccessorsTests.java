package dev.sluice;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.observation.ClusterExchangeContext;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the public types of all modules call their accessors: by the name alone, as
 * records do. Contexts of observations have those of Micrometer's, and properties those
 * that are bound.
 */
class AccessorsTests {

	@Test
	void haveNoPrefixGet() {
		ArchConfiguration.withThreadLocalScope((configuration) -> {
			configuration.setResolveMissingDependenciesFromClassPath(true);
			assertThat(accessors()).isEmpty();
		});
	}

	private static List<String> accessors() {
		Stream<JavaMethod> accessors = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("dev.sluice")
			.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((type) -> !type.isAssignableTo(Observation.Context.class)
					&& !type.isEquivalentTo(ClusterExchangeContext.class))
			.filter((type) -> !type.getName().matches(".*Properties(\\$.*)?"))
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((method) -> method.getName().matches("get[A-Z].*") && method.getRawParameterTypes().isEmpty());
		return accessors.filter((method) -> !isOfOthers(method)).map(JavaMethod::getFullName).toList();
	}

	/** Whether a type that is not ours asks for the method. */
	private static boolean isOfOthers(JavaMethod method) {
		JavaClass type = method.getOwner();
		return Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
			.filter((parent) -> !parent.getPackageName().startsWith("dev.sluice"))
			.anyMatch((parent) -> parent.tryGetMethod(method.getName()).isPresent());
	}

}
