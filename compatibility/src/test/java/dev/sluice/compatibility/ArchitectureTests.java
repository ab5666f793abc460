package dev.sluice.compatibility;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter().importPackages("com.example",
			"dev.sluice.compatibility");

	@Test
	void internalsAreLeftAlone() {
		noClasses().should().dependOnClassesThat().resideInAPackage("dev.sluice..internal..").check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().matching("(**)").should().beFreeOfCycles().check(CLASSES);
	}

}
