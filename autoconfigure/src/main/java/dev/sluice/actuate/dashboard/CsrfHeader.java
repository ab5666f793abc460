package dev.sluice.actuate.dashboard;

/**
 * The header with which a request proves that it comes from the application's own page.
 */
record CsrfHeader(String name, String value) {

	/** No CSRF header is required. */
	static final CsrfHeader NONE = new CsrfHeader("", "");

}
