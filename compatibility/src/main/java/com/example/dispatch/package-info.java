/**
 * The dispatch centre of an ambulance service: vehicles by typed sessions, dispatchers by
 * STOMP, pagers by a handler as it always was, hospitals by HTTP.
 */
@NullMarked
package com.example.dispatch;

import org.jspecify.annotations.NullMarked;
