package dev.sluice.websocket;

/** The session of a handler that the application registers itself. */
class HandlerSession extends ManagedSession {

}
