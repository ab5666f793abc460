package com.example.dispatch;

/**
 * Somebody needs help.
 *
 * @param number the number of the call
 * @param place where
 */
record Call(int number, String place) {
}
