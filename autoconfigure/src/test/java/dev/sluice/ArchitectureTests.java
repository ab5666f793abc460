package dev.sluice;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class ArchitectureTests {

	private final JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice.autoconfigure", "dev.sluice.actuate", "dev.sluice.observation");

	@Test
	void internalsOfLimitsAreLeftAlone() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAPackage("dev.sluice.throttle.internal..")
			.check(this.classes);
	}

	@Test
	void internalsOfTheGateAreLeftAlone() {
		noClasses().should().dependOnClassesThat().resideInAPackage("dev.sluice.aop.internal..").check(this.classes);
	}

}
