package com.example.existing;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Sends and receives in all the ways that Spring offers. */
@SpringBootApplication(proxyBeanMethods = false)
public final class ExistingApplication {

	private ExistingApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.run(ExistingApplication.class, args);
	}

}
