package com.example.dispatch;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Sends ambulances to calls. */
@SpringBootApplication(proxyBeanMethods = false)
public final class DispatchApplication {

	private DispatchApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.run(DispatchApplication.class, args);
	}

}
