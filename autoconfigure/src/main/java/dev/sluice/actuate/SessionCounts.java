package dev.sluice.actuate;

/** Counts the open WebSocket sessions, where the application has them. */
@FunctionalInterface
interface SessionCounts {

	SessionsDescriptor get();

}
