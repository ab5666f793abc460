package dev.sluice;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class ArchitectureTests {

	private final JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice");

	@Test
	void nothingHereKnowsSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(this.classes);
	}

	@Test
	void packagesAreFreeOfCycles() {
		slices().matching("dev.sluice.(*)..").should().beFreeOfCycles().check(this.classes);
	}

	@Test
	void internalsOfLimitsAreLeftAlone() {
		noClasses().that()
			.resideOutsideOfPackage("dev.sluice.throttle..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.sluice.throttle.internal..")
			.check(this.classes);
	}

}
