package dev.sluice.sample;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Code as users write it: the sample, and the examples of the pages. */
class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter().importPackages("dev.sluice.sample",
			"dev.sluice.guide", "dev.sluice.readme", "dev.sluice.journal");

	@Test
	void internalsAreLeftAlone() {
		noClasses().should().dependOnClassesThat().resideInAPackage("dev.sluice..internal..").check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().matching("dev.(**)")
			.should()
			.beFreeOfCycles()
			.check(new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
				.importPackages("dev.sluice.sample"));
	}

	/**
	 * These are the packages that docs/design.md names; the tests of tables look behind.
	 */
	@Test
	void usersNeedTheApiAlone() {
		classes().that()
			.resideInAnyPackage("dev.sluice.sample..", "dev.sluice.guide", "dev.sluice.readme")
			.and()
			.haveNameNotMatching(".*(\\.TablesTests(\\$.*)?|__.*)")
			.should()
			.onlyDependOnClassesThat(resideOutsideOfPackage("dev.sluice..")
				.or(resideInAnyPackage("dev.sluice.sample..", "dev.sluice.guide", "dev.sluice.readme",
						"dev.sluice.test..", "dev.sluice.throttle", "dev.sluice.throttle.store", "dev.sluice.execution",
						"dev.sluice.batch", "dev.sluice.bus", "dev.sluice.time", "dev.sluice.annotation",
						"dev.sluice.aop", "dev.sluice.aop.spi", "dev.sluice.websocket", "dev.sluice.cluster",
						"dev.sluice.client", "dev.sluice.jdbc", "dev.sluice.redis", "dev.sluice.autoconfigure")))
			.check(CLASSES);
	}

}
