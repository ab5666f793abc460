package dev.sluice;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The width of lines that no formatter breaks: the prose of pages, scripts, and
 * properties of resources.
 */
class WidthTests {

	private static final int MAX_COLUMNS = 120;

	private static final Set<String> OTHERS = Set.of("target", "node_modules", ".git", ".ci");

	private static final Pattern TEXT = Pattern.compile(".*\\.(?:md|lua|sql|properties)");

	/** Code of a page, whose width is that of what it shows, and rows of tables. */
	private static final Pattern NO_PROSE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```$|^\\s*\\|.*?$");

	@Test
	void linesHaveAtMost120Columns() throws IOException {
		List<String> wide = new ArrayList<>();
		List<Path> files = files();
		for (Path file : files) {
			String text = Files.readString(file);
			String prose = file.toString().endsWith(".md") ? NO_PROSE.matcher(text).replaceAll("") : text;
			prose.lines()
				.filter((line) -> line.replace("\t", "    ").length() > MAX_COLUMNS)
				.forEach((line) -> wide.add(file + ": " + line));
		}
		assertThat(files).hasSizeGreaterThan(50);
		assertThat(wide).isEmpty();
	}

	private static List<Path> files() throws IOException {
		List<Path> files = new ArrayList<>();
		Files.walkFileTree(Path.of(".."), new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
				return OTHERS.contains(folder.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
						: FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (TEXT.matcher(file.getFileName().toString()).matches()) {
					files.add(file);
				}
				return FileVisitResult.CONTINUE;
			}

		});
		return files;
	}

}
