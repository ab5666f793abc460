package dev.sluice;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice.autoconfigure", "dev.sluice.actuate", "dev.sluice.observation");

	@Test
	void packagesAreFreeOfCycles() {
		slices().matching("dev.sluice.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	/** The page of the package is one more file. */
	@Test
	void packagesAreSmall() {
		Map<String, Long> sizes = CLASSES.stream()
			.filter(JavaClass::isTopLevelClass)
			.filter((type) -> !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(sizes).allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(24));
	}

	/** But for the building blocks, and those of the cluster of sessions. */
	@Test
	void internalsAreLeftAlone() {
		noClasses().that()
			.resideOutsideOfPackage("dev.sluice.autoconfigure.cluster")
			.should()
			.dependOnClassesThat(
					resideInAPackage("dev.sluice..internal..").and(resideOutsideOfPackage("dev.sluice.internal")))
			.check(CLASSES);
		noClasses().should()
			.dependOnClassesThat(resideInAPackage("dev.sluice..internal..")
				.and(resideOutsideOfPackages("dev.sluice.internal", "dev.sluice.cluster.internal..")))
			.check(CLASSES);
	}

}
