package dev.sluice.guide;

/**
 * What {@code docs/batches.md} pushes.
 *
 * @param customer who has to pay
 * @param number tells it from others
 */
record Invoice(String customer, int number) {

}
