package dev.sluice.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication

/** The application of all tests. */
@SpringBootApplication
class Application
