package dev.sluice.websocket.endpoint;

import java.util.List;

import dev.sluice.websocket.handler.HandlerContext;

/**
 * Endpoint that has topics or is resumable.
 *
 * @param name name of its bean
 * @param type class of its sessions
 * @param paths its paths
 * @param topics names of its topics, with their variables and without placeholders
 * @param resumable whether its sessions resume
 * @param objects makes the objects of its sessions
 * @param context context of its handler
 */
public record ExtendedEndpoint(String name, Class<?> type, List<String> paths, List<String> topics, boolean resumable,
		SessionObjects objects, HandlerContext context) {

}
