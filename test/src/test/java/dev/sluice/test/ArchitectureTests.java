package dev.sluice.test;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter().importPackages("dev.sluice.test");

	@Test
	void internalsAreLeftAlone() {
		noClasses().should().dependOnClassesThat().resideInAPackage("dev.sluice..internal..").check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCircles() {
		slices().matching("dev.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void theModuleExportsAllPackages() throws Exception {
		URL classes = SettableClock.class.getProtectionDomain().getCodeSource().getLocation();
		ModuleDescriptor module = ModuleFinder.of(Path.of(classes.toURI())).findAll().iterator().next().descriptor();

		assertThat(module.exports()).allMatch((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrderElementsOf(module.packages());
	}

}
