package dev.sluice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packages of all modules: how large they are, which circles their classes form, and
 * what the map in {@code docs/design.md} says of them.
 */
class LayoutTests {

	private static final List<String> MODULES = List.of("core", "redis", "jdbc", "spring", "websocket", "cluster",
			"client", "autoconfigure");

	private static final int MAX_FILES = 25;

	private static final int MAX_LINES = 450;

	/** One algorithm, and an API most of whose lines are Javadoc. */
	private static final Set<String> LARGE = Set.of("SequentialQueue", "SequentialLeveledTaskExecutor");

	/**
	 * Names of two classes each: the stores in Redis and PostgreSQL, which do not know
	 * each other, have a circuit breaker and a log of their availability; what a client
	 * has sent and what a cluster has are deliveries, in two libraries for different
	 * applications.
	 */
	private static final Set<String> SHARED_NAMES = Set.of("AvailabilityLog", "CircuitBreaker", "Delivery");

	/**
	 * Circles of more than two classes, by one of them: algorithms in several classes,
	 * annotations with the processor of their hints, a builder and what it builds, and
	 * observations with their conventions.
	 */
	private static final Set<String> CIRCLES = Set.of("dev.sluice.execution.SequentialQueue",
			"dev.sluice.annotation.Throttled", "dev.sluice.throttle.ThrottlingManager",
			"dev.sluice.observation.SluiceObservation");

	/** The one class whose package does not use what the class uses. */
	private static final String FACTORY = "dev.sluice.throttle.ThrottlingManager";

	private static final Set<String> FACTORY_USES = Set.of("throttle.store", "throttle.internal.manager");

	/** The rooms of several packages: their own test looks for circles within. */
	private static final Set<String> SHARED_ROOMS = Set.of("autoconfigure", "actuate");

	private static final Pattern ROOM = Pattern.compile("^\\s*(\\w+)\\[\"([\\w.]+)\"]$", Pattern.MULTILINE);

	private static final Pattern ARROW = Pattern.compile("^\\s*(\\w+) --> (\\w+)$", Pattern.MULTILINE);

	private static final Pattern STEP = Pattern.compile("^\\| `([\\w.]+)` \\| `([A-Z]\\w+)` \\|", Pattern.MULTILINE);

	/** The classes that each top-level class uses. */
	private static final Map<String, Set<String>> USES = new TreeMap<>();

	private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)[`.]");

	private final String map = read(Path.of("..", "docs", "design.md"));

	@BeforeAll
	static void readClasses() {
		new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("dev.sluice")
			.that(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("dev.sluice.test..")))
			.forEach(LayoutTests::readClass);
	}

	private static void readClass(JavaClass type) {
		Set<String> used = USES.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
		type.getDirectDependenciesFromSelf()
			.stream()
			.map((dependency) -> topLevel(dependency.getTargetClass()))
			.filter((other) -> other.startsWith("dev.sluice.") && !other.equals(topLevel(type)))
			.forEach(used::add);
	}

	private static String topLevel(JavaClass type) {
		return type.getBaseComponentType().getName().replaceFirst("\\$.*", "");
	}

	@Test
	void packagesAreSmall() {
		Map<Path, Long> files = sources()
			.collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
		assertThat(files).isNotEmpty().allSatisfy((folder, count) -> assertThat(count).isLessThanOrEqualTo(MAX_FILES));
	}

	@Test
	void classesAreSmall() {
		assertThat(sources().filter((file) -> read(file).lines().count() > MAX_LINES).map(LayoutTests::name))
			.containsExactlyInAnyOrderElementsOf(LARGE);
	}

	@Test
	void noTwoClassesHaveOneName() {
		Map<String, List<String>> byName = USES.keySet()
			.stream()
			.filter((type) -> !type.endsWith("package-info"))
			.collect(Collectors.groupingBy((type) -> type.substring(type.lastIndexOf('.') + 1)));
		assertThat(byName).hasSizeGreaterThan(500);
		byName.values().removeIf((types) -> types.size() == 1);
		assertThat(byName.keySet()).containsExactlyInAnyOrderElementsOf(SHARED_NAMES);
	}

	@Test
	void circlesOfClassesAreOneAlgorithmEach() {
		assertThat(circles().filter((circle) -> circle.size() > 2)).hasSize(CIRCLES.size())
			.allSatisfy((circle) -> assertThat(circle).containsAnyElementsOf(CIRCLES));
	}

	@Test
	void theMapHasARoomForEachPackage() {
		Set<String> packages = USES.keySet()
			.stream()
			.map((type) -> type.substring("dev.sluice.".length(), type.lastIndexOf('.')))
			.map((name) -> SHARED_ROOMS.stream().filter((room) -> name.startsWith(room + '.')).findAny().orElse(name))
			.collect(Collectors.toSet());
		assertThat(rooms().values()).containsExactlyInAnyOrderElementsOf(packages);
	}

	@Test
	void theMapShowsEveryDependencyBetweenPackages() {
		Map<String, Set<String>> arrows = arrows();
		assertThat(dependencies()).allSatisfy((room, used) -> assertThat(reachable(room, arrows)).containsAll(used));
	}

	@Test
	void theMapShowsNothingElse() {
		Map<String, Set<String>> dependencies = dependencies();
		Map<String, Set<String>> arrows = arrows();
		assertThat(arrows).allSatisfy((room, used) -> {
			assertThat(dependencies.getOrDefault(room, Set.of())).containsAll(used);
			assertThat(reachable(room, arrows)).doesNotContain(room);
		});
	}

	@Test
	void theClassesThatThePageNamesExist() {
		Set<String> names = USES.keySet()
			.stream()
			.map((type) -> type.substring(type.lastIndexOf('.') + 1))
			.collect(Collectors.toCollection(HashSet::new));
		names.add("VirtualMachineError");
		List<String> named = NAME.matcher(this.map)
			.results()
			.map((name) -> name.group(1))
			.filter((name) -> !name.endsWith("Tests") && !name.equals(name.toUpperCase(Locale.ROOT)))
			.toList();
		assertThat(named).hasSizeGreaterThan(50).isSubsetOf(names);
	}

	@Test
	void theTestsThatThePageNamesExist() {
		Set<String> tests = Stream.of("src/test/java", "src/hostile/java")
			.flatMap((folder) -> MODULES.stream().map((module) -> Path.of("..", module, folder)))
			.filter(Files::exists)
			.flatMap(LayoutTests::sources)
			.map(LayoutTests::name)
			.collect(Collectors.toSet());
		List<String> named = NAME.matcher(this.map)
			.results()
			.map((name) -> name.group(1))
			.filter((name) -> name.endsWith("Tests"))
			.toList();
		assertThat(named).isNotEmpty().isSubsetOf(tests);
	}

	@Test
	void theStepsOfTheWalksExist() {
		List<String> steps = STEP.matcher(this.map)
			.results()
			.map((step) -> "dev.sluice." + step.group(1) + '.' + step.group(2))
			.toList();
		assertThat(steps).isNotEmpty().allSatisfy((step) -> assertThat(USES).containsKey(step));
	}

	private Map<String, String> rooms() {
		return ROOM.matcher(this.map)
			.results()
			.collect(Collectors.toMap((room) -> room.group(1), (room) -> room.group(2)));
	}

	private Map<String, Set<String>> arrows() {
		Map<String, String> rooms = rooms();
		return ARROW.matcher(this.map)
			.results()
			.collect(Collectors.groupingBy((arrow) -> rooms.get(arrow.group(1)), TreeMap::new,
					Collectors.mapping((MatchResult arrow) -> rooms.get(arrow.group(2)), Collectors.toSet())));
	}

	/**
	 * Which rooms use which, except for the factory of the manager, which takes a store
	 * and creates the implementation.
	 */
	private Map<String, Set<String>> dependencies() {
		Set<String> rooms = Set.copyOf(rooms().values());
		Map<String, Set<String>> all = new TreeMap<>();
		USES.forEach((type, used) -> used.forEach((other) -> {
			String from = room(type, rooms);
			String to = room(other, rooms);
			if (!to.equals(from) && !(type.equals(FACTORY) && FACTORY_USES.contains(to))) {
				all.computeIfAbsent(from, (name) -> new TreeSet<>()).add(to);
			}
		}));
		return all;
	}

	private static String room(String type, Set<String> rooms) {
		String name = type.substring("dev.sluice.".length());
		while (!rooms.contains(name)) {
			assertThat(name).as(type + " is in no room").contains(".");
			name = name.substring(0, name.lastIndexOf('.'));
		}
		return name;
	}

	private Stream<Set<String>> circles() {
		Map<String, Set<String>> reachable = USES.keySet()
			.stream()
			.collect(Collectors.toMap((type) -> type, (type) -> reachable(type, USES)));
		return reachable.keySet()
			.stream()
			.filter((type) -> reachable.get(type).contains(type))
			.map((type) -> reachable.get(type)
				.stream()
				.filter((other) -> reachable.get(other).contains(type))
				.collect(Collectors.toSet()))
			.distinct();
	}

	private static Set<String> reachable(String start, Map<String, Set<String>> arrows) {
		Set<String> reached = new HashSet<>();
		Deque<String> next = new ArrayDeque<>(arrows.getOrDefault(start, Set.of()));
		while (!next.isEmpty()) {
			String room = next.pop();
			if (reached.add(room)) {
				next.addAll(arrows.getOrDefault(room, Set.of()));
			}
		}
		return reached;
	}

	private static Stream<Path> sources() {
		return MODULES.stream().flatMap((module) -> sources(Path.of("..", module, "src", "main", "java")));
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String name(Path file) {
		return file.getFileName().toString().replaceFirst("\\.java$", "");
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
