package dev.sluice.jdbc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The one server of the tests of this JVM, started for who asks for it. */
public final class PostgresServer {

	private PostgresServer() {
	}

	private static EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder()
				.setServerConfig("max_connections", "100")
				.setServerConfig("fsync", "off")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static String url() {
		return Started.SERVER.getJdbcUrl("postgres", "postgres");
	}

	/** Reads the file with an ending that an archive has. */
	static InputStream entry(Path archive, String ending) throws IOException {
		try (ZipFile file = new ZipFile(archive.toFile())) {
			ZipEntry entry = file.stream().filter((each) -> each.getName().endsWith(ending)).findFirst().orElseThrow();
			return new ByteArrayInputStream(file.getInputStream(entry).readAllBytes());
		}
	}

	public static String newSchema() {
		return "écluse \"" + UUID.randomUUID();
	}

	public static HikariDataSource pool() {
		return pool(url());
	}

	public static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(6);
		return pool;
	}

	/** Apart, as nodes that are processes have the server of the test. */
	private static final class Started {

		private static final EmbeddedPostgres SERVER = start();

	}

}
