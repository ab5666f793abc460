package dev.sluice.websocket;

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

/** Which packages and classes of sessions know which. */
class WebSocketArchitectureTests {

	private static final String ROOT = "dev.sluice.websocket";

	private static final int MOST_CLASSES_OF_A_PACKAGE = 24;

	/** Classes that know each other, as they are one thing in two. */
	private static final Map<String, String> PAIRS = Map.of(ROOT + ".SessionConnection", ROOT + ".ManagedSession",
			ROOT + ".stomp.MessageTask", ROOT + ".stomp.StompTaskExecutor");

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages(ROOT);

	@Test
	void theApiKnowsNoInternals() {
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".*..")
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing",
			value = { "settings: nothing", "message: nothing", "container: message", "journal: message",
					"inbound: container message settings", "outbound: journal container message settings",
					"session: inbound outbound journal container message settings",
					"handler: session inbound outbound journal container message settings",
					"endpoint: handler session inbound outbound journal container message settings",
					"stomp: handler inbound message session outbound settings" })
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
	void nothingHereUsesSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(CLASSES);
	}

	@Test
	void internalsOfOtherModulesAreLeftAlone() {
		noClasses().should()
			.dependOnClassesThat(JavaClass.Predicates.resideInAPackage("dev.sluice..internal..")
				.and(JavaClass.Predicates.resideOutsideOfPackage("dev.sluice.internal")))
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
	void classesAreFreeOfCircles() {
		slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				String name = topLevel(type).getName();
				return SliceIdentifier.of(PAIRS.getOrDefault(name, name));
			}

			@Override
			public String getDescription() {
				return "top-level classes";
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

	private static JavaClass topLevel(JavaClass type) {
		JavaClass topLevel = type.getBaseComponentType();
		while (topLevel.getEnclosingClass().isPresent()) {
			topLevel = topLevel.getEnclosingClass().get();
		}
		return topLevel;
	}

}
