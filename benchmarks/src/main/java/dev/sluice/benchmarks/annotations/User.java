package dev.sluice.benchmarks.annotations;

/**
 * Whose calls are limited apart.
 *
 * @param id the id of the user
 */
public record User(String id) {

}
