package dev.sluice.websocket.session;

import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.outbound.OutboundResources;

/**
 * Resources that all sessions share.
 *
 * @param outbound what their outbound sides share
 * @param inboundTotal bounds the messages that wait to be handled
 * @param principals runs handlers in the name of their clients
 */
record SessionResources(OutboundResources outbound, TotalBuffer<?> inboundTotal, PrincipalContext principals) {

}
