package com.example.dispatch;

/**
 * A request for help.
 *
 * @param number the number of the call
 * @param place where
 */
record Call(int number, String place) {
}
