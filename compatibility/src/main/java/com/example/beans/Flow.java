package com.example.beans;

/**
 * Something of the application under a name that others like too.
 *
 * @param direction where it goes
 */
record Flow(String direction) {
}
