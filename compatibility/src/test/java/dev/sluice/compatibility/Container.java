package dev.sluice.compatibility;

import java.util.regex.Pattern;

/** A servlet container, and the jars that an application has which runs on another. */
enum Container {

	TOMCAT("jetty-.*|spring-boot-jetty-.*"),

	JETTY("tomcat-embed-(core|websocket)-.*|spring-boot-tomcat-.*");

	private final Pattern others;

	Container(String others) {
		this.others = Pattern.compile(others);
	}

	/** Whether a jar belongs to another container. */
	boolean excludes(String jar) {
		return this.others.matcher(jar).matches();
	}

}
