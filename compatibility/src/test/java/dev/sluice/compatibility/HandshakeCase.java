package dev.sluice.compatibility;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line of {@code handshakes.txt}, which says what the columns mean.
 *
 * @param name what the case is about
 * @param request the request line
 * @param headers the lines of the headers
 */
record HandshakeCase(String name, String request, List<String> headers) {

	static HandshakeCase parse(String line) {
		String[] columns = Arrays.stream(line.split("\\|", -1)).map(String::trim).toArray(String[]::new);
		Map<String, String> headers = new TreeMap<>();
		RawConnection.HEADERS.forEach((header) -> headers.put(key(header), header));
		for (String header : columns[2].split("; ")) {
			if (header.contains(":")) {
				headers.put(key(header), header);
			}
			else {
				headers.remove(key(header));
			}
		}
		return new HandshakeCase(columns[0], columns[1].isEmpty() ? "GET /echo HTTP/1.1" : columns[1],
				List.copyOf(headers.values()));
	}

	/** Returns the request line for a server, which may have its paths below a prefix. */
	String request(Server server) {
		return this.request.replaceFirst(" /", " " + server.path("/"));
	}

	private static String key(String header) {
		return header.split(":")[0].trim().toLowerCase(Locale.ROOT);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
