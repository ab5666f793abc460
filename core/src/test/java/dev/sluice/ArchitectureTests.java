package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final int MOST_CLASSES_OF_A_PACKAGE = 24;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.sluice");

	/**
	 * Factories of the API, each of which makes the internal class that implements it.
	 */
	private static final Set<String> FACTORIES = Set.of("ThrottlingManager -> DefaultThrottlingManager",
			"ThrottleStore -> MemoryStore", "Permit -> SpentPermit", "NanoClock -> SystemNanoClock",
			"BatchPump -> CancellablePump");

	/** Circles of classes that are one algorithm, or one fact in two forms. */
	private static final List<Set<String>> CIRCLES = List.of(
			// The decision, and the exception that tells it
			Set.of("Decision", "ThrottledException"),
			// The keys of a dynamic window, and what they share
			Set.of("DynamicWindowCell", "DynamicWindowShares"),
			// A slot as pushers see it, and its turns
			Set.of("Slot", "SlotTurns"),
			// A run, and the cancellation of the calls of its pump
			Set.of("PumpSignal", "Run"),
			// An executor, and the handle of one of its queues
			Set.of("SequentialLeveledTaskExecutor", "TaskQueue"),
			// A queue: its node, its two sides, its order, and the generations of an id
			Set.of("LeveledTask", "QueueRunner", "QueueRegistry", "Seal", "SequentialQueue", "TimedTask",
					"WaitingTasks"));

	@Test
	void coreNeedsNothingButTheJdk() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.sluice..", "java..", "org.jspecify.annotations")
			.check(CLASSES);
	}

	/**
	 * Each package is a slice. The one exception is the factory of the manager, which
	 * takes a store and creates the implementation, and belongs to the API that both use.
	 */
	@Test
	void packagesAreFreeOfCycles() {
		slices().matching("dev.(**)")
			.should()
			.beFreeOfCycles()
			.ignoreDependency(belongToAnyOf(ThrottlingManager.class),
					resideInAnyPackage("dev.sluice.throttle.store", "dev.sluice.throttle.internal.manager"))
			.check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ':', nullValues = "nothing",
			value = { "line: nothing", "failover: nothing", "memory: line", "rate: memory line",
					"concurrency: memory line", "joint: memory line", "manager: joint rate concurrency memory line" })
	void internalsOfLimitsUseThoseBelow(String part, String below) {
		String internal = "dev.sluice.throttle.internal";
		List<String> allowed = new ArrayList<>(List.of("java..", "org.jspecify.annotations", "dev.sluice.time",
				"dev.sluice.internal", "dev.sluice.throttle", "dev.sluice.throttle.store", internal,
				internal + ".argument", internal + "." + part));
		if (below != null) {
			List.of(below.split(" ")).forEach((name) -> allowed.add(internal + "." + name));
		}
		classes().that()
			.resideInAPackage(internal + "." + part)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(allowed.toArray(new String[0]))
			.check(CLASSES);
	}

	@Test
	void internalsOfLimitsAreUsedByLimitsOnly() {
		classes().that()
			.resideInAPackage("dev.sluice.throttle.internal..")
			.should()
			.onlyHaveDependentClassesThat()
			.resideInAnyPackage("dev.sluice.throttle..")
			.check(CLASSES);
	}

	@Test
	void workersKnowNeitherQueuesNorTasks() {
		classes().that()
			.resideInAPackage("dev.sluice.execution.internal")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify.annotations", "dev.sluice.time", "dev.sluice.internal",
					"dev.sluice.execution.internal")
			.check(CLASSES);
		classes().that()
			.resideInAPackage("dev.sluice.execution.internal")
			.should()
			.onlyHaveDependentClassesThat()
			.resideInAPackage("dev.sluice.execution..")
			.check(CLASSES);
	}

	@Test
	void buildingBlocksNeedNothingButTheClock() {
		classes().that()
			.resideInAPackage("dev.sluice.internal")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify.annotations", "dev.sluice.time", "dev.sluice.internal")
			.check(CLASSES);
	}

	@Test
	void theModuleExportsEveryPackageThatIsNotInternalAndToOtherModulesWhatTheyShare() throws Exception {
		URL classes = ThrottlingManager.class.getProtectionDomain().getCodeSource().getLocation();
		ModuleDescriptor module = ModuleFinder.of(Path.of(classes.toURI())).findAll().iterator().next().descriptor();

		assertThat(module.exports()).filteredOn((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrderElementsOf(module.packages()
				.stream()
				.filter((name) -> !List.of(name.split("\\.")).contains("internal"))
				.toList());
		assertThat(module.exports()).filteredOn(ModuleDescriptor.Exports::isQualified)
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrder("dev.sluice.internal", "dev.sluice.throttle.internal.failover");
		for (ModuleDescriptor.Exports exported : module.exports()) {
			if (exported.isQualified()) {
				assertThat(exported.targets()).as(exported.source())
					.containsExactlyInAnyOrderElementsOf(users(exported.source()));
			}
		}
	}

	/** Returns the published modules whose main code imports a package of this module. */
	private static Set<String> users(String packageName) throws IOException {
		Set<String> users = new TreeSet<>();
		for (String module : List.of("autoconfigure", "client", "cluster", "jdbc", "redis", "spring", "test",
				"websocket")) {
			try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				if (sources.filter((file) -> file.toString().endsWith(".java"))
					.anyMatch((file) -> imports(file, packageName))) {
					users.add("dev.sluice." + module);
				}
			}
		}
		return users;
	}

	private static boolean imports(Path file, String packageName) {
		try {
			return Files.readAllLines(file)
				.stream()
				.anyMatch((line) -> line.matches("import (static )?" + Pattern.quote(packageName) + "\\.[A-Z].*"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void classesAreFreeOfCirclesThatAreNotOneAlgorithm() {
		assertThat(circles()).containsExactlyInAnyOrderElementsOf(CIRCLES);
	}

	@Test
	void packagesAreSmall() {
		Map<String, Long> sizes = CLASSES.stream()
			.filter(JavaClass::isTopLevelClass)
			.filter((type) -> !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

		assertThat(sizes)
			.allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MOST_CLASSES_OF_A_PACKAGE));
	}

	/**
	 * Returns the sets of top-level classes each of which reaches all others of its set.
	 */
	private Set<Set<String>> circles() {
		Map<String, Set<String>> uses = new TreeMap<>();
		CLASSES.forEach((type) -> type.getDirectDependenciesFromSelf()
			.forEach((use) -> add(uses, topLevel(type), topLevel(use.getTargetClass()))));
		Map<String, Set<String>> reached = new TreeMap<>();
		uses.keySet().forEach((type) -> reached.put(type, reachedFrom(type, uses)));
		Set<Set<String>> circles = new LinkedHashSet<>();
		reached.forEach((type, all) -> {
			if (all.contains(type)) {
				circles.add(all.stream()
					.filter((other) -> reached.getOrDefault(other, Set.of()).contains(type))
					.collect(Collectors.toCollection(TreeSet::new)));
			}
		});
		return circles;
	}

	private static void add(Map<String, Set<String>> uses, JavaClass from, JavaClass to) {
		String use = from.getSimpleName() + " -> " + to.getSimpleName();
		if (to.getPackageName().startsWith("dev.sluice") && !from.equals(to) && !FACTORIES.contains(use)) {
			uses.computeIfAbsent(from.getSimpleName(), (name) -> new TreeSet<>()).add(to.getSimpleName());
		}
	}

	private static Set<String> reachedFrom(String type, Map<String, Set<String>> uses) {
		Set<String> reached = new TreeSet<>();
		List<String> next = new ArrayList<>(uses.get(type));
		while (!next.isEmpty()) {
			String user = next.remove(next.size() - 1);
			if (reached.add(user)) {
				next.addAll(uses.getOrDefault(user, Set.of()));
			}
		}
		return reached;
	}

	private static JavaClass topLevel(JavaClass type) {
		JavaClass topLevel = type.getBaseComponentType();
		while (topLevel.getEnclosingClass().isPresent()) {
			topLevel = topLevel.getEnclosingClass().get();
		}
		return topLevel;
	}

}
