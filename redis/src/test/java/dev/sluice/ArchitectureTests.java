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
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.time.NanoClock;
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
		.importPackages("dev.sluice.redis");

	/**
	 * A node reads from its own clock only how much time has passed, so a clock that is
	 * off by minutes changes nothing. The system clock of Sluice begins at the date.
	 */
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
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(NanoClock.class)
			.check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().matching("dev.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing", value = { "connection: nothing", "throttle: connection",
			"rate: connection throttle", "concurrency: connection throttle", "bus.partition: connection" })
	void packagesUseThoseBelow(String name, String below) {
		String room = "dev.sluice.redis.";
		Set<String> allowed = new TreeSet<>(Set.of(room + name));
		if (below != null) {
			List.of(below.split(" ")).forEach((other) -> allowed.add(room + other));
		}
		classes().that()
			.resideInAPackage(room + name)
			.should()
			.onlyDependOnClassesThat(
					resideOutsideOfPackage("dev.sluice.redis..").or(resideInAnyPackage(allowed.toArray(new String[0]))))
			.check(CLASSES);
	}

	@Test
	void classesAreFreeOfCircles() {
		slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(CLASSES);
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
		URL classes = RedisThrottleStore.class.getProtectionDomain().getCodeSource().getLocation();
		ModuleDescriptor module = ModuleFinder.of(Path.of(classes.toURI())).findAll().iterator().next().descriptor();

		assertThat(module.exports()).allMatch((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrder("dev.sluice.redis", "dev.sluice.redis.bus");
	}

	/** A slice for each top-level class. */
	private static final class TopLevelClasses implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			JavaClass topLevel = type.getBaseComponentType();
			while (topLevel.getEnclosingClass().isPresent()) {
				topLevel = topLevel.getEnclosingClass().get();
			}
			return topLevel.getPackageName().startsWith("dev.sluice.redis") ? SliceIdentifier.of(topLevel.getName())
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "top-level classes";
		}

	}

}
