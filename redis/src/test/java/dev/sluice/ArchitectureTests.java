package dev.sluice;

import java.time.Clock;
import java.time.Instant;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class ArchitectureTests {

	private final JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice.redis");

	/** How much time has passed is all that a node may ask of its own clock. */
	@Test
	void nothingAsksANodeForTheDate() {
		noClasses().should()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.callMethod(Instant.class, "now")
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Clock.class)
			.check(this.classes);
	}

	@Test
	void nothingHereKnowsSpring() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..").check(this.classes);
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
