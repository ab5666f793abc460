package dev.sluice.client;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice.client");

	@Test
	void nothingIsNeededButTheJdkAndJackson() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.sluice.client", "java..", "tools.jackson..", "org.jspecify.annotations")
			.check(CLASSES);
	}

	@Test
	void classesAreFreeOfCircles() {
		slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void theModuleExportsItsPackage() throws Exception {
		URL classes = SluiceClient.class.getProtectionDomain().getCodeSource().getLocation();
		ModuleDescriptor module = ModuleFinder.of(Path.of(classes.toURI())).findAll().iterator().next().descriptor();

		assertThat(module.exports()).allMatch((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactly("dev.sluice.client");
	}

	/** A slice for each top-level class. */
	private static final class TopLevelClasses implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			JavaClass topLevel = type.getBaseComponentType();
			while (topLevel.getEnclosingClass().isPresent()) {
				topLevel = topLevel.getEnclosingClass().get();
			}
			return topLevel.getPackageName().startsWith("dev.sluice.client") ? SliceIdentifier.of(topLevel.getName())
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "top-level classes";
		}

	}

}
