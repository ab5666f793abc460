package dev.sluice;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class ArchitectureTests {

	private final JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice");

	@Test
	void coreNeedsNothingButTheJdk() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.sluice..", "java..", "org.jspecify.annotations")
			.check(this.classes);
	}

	@Test
	void packagesAreFreeOfCycles() {
		slices().matching("dev.sluice.(*)..").should().beFreeOfCycles().check(this.classes);
	}

}
