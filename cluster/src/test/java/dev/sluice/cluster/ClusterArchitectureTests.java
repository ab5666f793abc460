package dev.sluice.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** Which packages of the cluster use which. */
class ClusterArchitectureTests {

	private static final String ROOT = "dev.sluice.cluster";

	private static final int MOST_CLASSES_OF_A_PACKAGE = 24;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages(ROOT);

	@Test
	void nothingHereUsesSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(CLASSES);
	}

	@Test
	void internalsOfOtherModulesAreLeftAlone() {
		noClasses().should()
			.dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.sluice..internal..")
				.and(JavaClass.Predicates.resideOutsideOfPackages("dev.sluice.internal", ROOT + ".internal..")))
			.check(CLASSES);
	}

	@Test
	void theApiUsesNoInternals() {
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".*..")
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing",
			value = { "internal.settings: nothing", "internal.trace: nothing", "internal.traffic: nothing",
					"resume.outbox: nothing", "resume: resume.outbox", "internal.feed: resume.outbox",
					"internal.presence: internal.feed", "broadcast: internal.feed internal.trace", "stomp: broadcast",
					"endpoint: resume resume.outbox" })
	void packagesUseThoseBelow(String name, String below) {
		List<String> allowed = new ArrayList<>(List.of(ROOT, ROOT + "." + name));
		if (below != null) {
			List.of(below.split(" ")).forEach((other) -> allowed.add(ROOT + "." + other));
		}
		noClasses().that()
			.resideInAPackage(ROOT + "." + name)
			.should()
			.dependOnClassesThat(JavaClass.Predicates.resideInAPackage(ROOT + "..")
				.and(JavaClass.Predicates.resideOutsideOfPackages(allowed.toArray(new String[0]))))
			.check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				return SliceIdentifier.of(type.getPackageName());
			}

			@Override
			public String getDescription() {
				return "packages";
			}

		}).should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void packagesAreSmall() {
		Map<String, Long> sizes = CLASSES.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

		assertThat(sizes).hasSizeGreaterThan(5)
			.allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MOST_CLASSES_OF_A_PACKAGE));
	}

}
