package dev.sluice;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final String[] CORE = { "dev.sluice.batch..", "dev.sluice.bus..", "dev.sluice.execution..",
			"dev.sluice.internal..", "dev.sluice.throttle..", "dev.sluice.time.." };

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice");

	@Test
	void nothingHereKnowsSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(CLASSES);
	}

	@Test
	void nothingHereUsesWebSocketsOrServlets() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.web.socket..", "jakarta.servlet..", "jakarta.websocket..")
			.check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCycles() {
		slices().matching("dev.(**)").should().beFreeOfCycles().check(CLASSES.that(resideOutsideOfPackages(CORE)));
	}

	@Test
	void internalsOfCoreAreLeftAlone() {
		noClasses().that()
			.resideOutsideOfPackages(CORE)
			.should()
			.dependOnClassesThat(resideInAnyPackage(CORE).and(resideInAPackage("dev.sluice..internal.."))
				.and(resideOutsideOfPackage("dev.sluice.internal")))
			.check(CLASSES);
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

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing", value = { "spi: nothing", "internal.call: spi",
			"internal.result: internal.call spi", "internal.method: internal.result internal.call spi" })
	void partsOfTheGateUseThoseBelow(String part, String below) {
		Set<String> above = new TreeSet<>(Set.of("spi", "internal.call", "internal.result", "internal.method"));
		above.remove(part);
		above.removeAll((below != null) ? List.of(below.split(" ")) : List.of());
		noClasses().that()
			.resideInAPackage("dev.sluice.aop." + part)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(Stream.concat(Stream.of(""), above.stream().map((name) -> '.' + name))
				.map("dev.sluice.aop"::concat)
				.toArray(String[]::new))
			.check(CLASSES);
	}

	@Test
	void internalsOfTheGateAreLeftAlone() {
		noClasses().that()
			.resideOutsideOfPackage("dev.sluice.aop..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.sluice.aop.internal..")
			.check(CLASSES);
	}

}
