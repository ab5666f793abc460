package dev.sluice.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The text of the schema. */
class SchemaTextTests {

	@Test
	void eachFunctionHasAHead() throws IOException {
		List<String> lines = Files
			.readAllLines(Path.of("src", "main", "resources", "dev", "sluice", "jdbc", "schema-postgresql.sql"));
		List<Integer> functions = IntStream.range(0, lines.size())
			.filter((line) -> lines.get(line).startsWith("CREATE OR REPLACE FUNCTION"))
			.boxed()
			.toList();
		assertThat(functions).hasSizeGreaterThan(30)
			.allSatisfy((line) -> assertThat(lines.get(line - 1)).as(lines.get(line)).startsWith("-- "));
	}

	@Test
	void linesHaveAtMost120Columns() throws IOException {
		assertThat(Files
			.readAllLines(Path.of("src", "main", "resources", "dev", "sluice", "jdbc", "schema-postgresql.sql")))
			.allSatisfy((line) -> assertThat(line.replace("\t", "    ").length()).as(line).isLessThanOrEqualTo(120));
	}

}
