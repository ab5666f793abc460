package com.example.graphql;

import java.nio.charset.StandardCharsets;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.graphql.autoconfigure.GraphQlSourceBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.execution.RuntimeWiringConfigurer;

/** Tells the name of the thread that answers. */
@SpringBootApplication(proxyBeanMethods = false)
public class GraphQlApplication {

	@Bean
	GraphQlSourceBuilderCustomizer schema() {
		byte[] schema = "type Query { thread: String }".getBytes(StandardCharsets.UTF_8);
		return (builder) -> builder.schemaResources(new ByteArrayResource(schema));
	}

	@Bean
	RuntimeWiringConfigurer wiring() {
		return (wiring) -> wiring.type("Query",
				(query) -> query.dataFetcher("thread", (environment) -> Thread.currentThread().getName()));
	}

	public static void main(String[] args) {
		SpringApplication.run(GraphQlApplication.class, args);
	}

}
