package dev.sluice.benchmarks.annotations;

/**
 * Whose calls are limited apart.
 *
 * @param id what tells users apart
 */
public record User(String id) {

}
