package dev.sluice.actuate.dashboard;

/** The header by which a request proves that it comes from the application's own page. */
record CsrfHeader(String name, String value) {

	/** None is asked for. */
	static final CsrfHeader NONE = new CsrfHeader("", "");

}
