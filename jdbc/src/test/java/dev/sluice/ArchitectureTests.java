package dev.sluice;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.jdbc.JdbcThrottleStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final long MOST_CLASSES_OF_A_PACKAGE = 25;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice.jdbc");

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
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Date.class)
			.check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().matching("dev.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing", value = { "connection: nothing", "throttle: connection" })
	void packagesUseThoseBelow(String name, String below) {
		String room = "dev.sluice.jdbc.";
		Set<String> allowed = new TreeSet<>(Set.of(room + name));
		if (below != null) {
			List.of(below.split(" ")).forEach((other) -> allowed.add(room + other));
		}
		classes().that()
			.resideInAPackage(room + name)
			.should()
			.onlyDependOnClassesThat(
					resideOutsideOfPackage("dev.sluice.jdbc..").or(resideInAnyPackage(allowed.toArray(new String[0]))))
			.check(CLASSES);
	}

	@Test
	void packagesAreSmall() {
		assertThat(CLASSES.stream()
			.collect(Collectors.groupingBy(JavaClass::getPackageName,
					Collectors.filtering(JavaClass::isTopLevelClass, Collectors.counting()))))
			.allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MOST_CLASSES_OF_A_PACKAGE));
	}

	@Test
	void nothingHereKnowsSpring() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..").check(CLASSES);
	}

	/** But for what the stores on servers share. */
	@Test
	void internalsAreLeftAlone() {
		noClasses().should()
			.dependOnClassesThat(resideInAPackage("dev.sluice..internal..")
				.and(resideOutsideOfPackages("dev.sluice.internal", "dev.sluice.throttle.internal.failover")))
			.check(CLASSES);
	}

	@Test
	void theModuleExportsTheApiAlone() throws Exception {
		URL classes = JdbcThrottleStore.class.getProtectionDomain().getCodeSource().getLocation();
		ModuleDescriptor module = ModuleFinder.of(Path.of(classes.toURI())).findAll().iterator().next().descriptor();

		assertThat(module.exports()).allMatch((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactly("dev.sluice.jdbc");
	}

}
