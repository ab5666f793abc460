package dev.sluice.bus;

import java.util.List;

/**
 * Record of a session that another connection may claim, on any node.
 *
 * @param key the key of the session, which never changes
 * @param node the node that has the session, or had it last
 * @param incarnation the number of connections that the session has had, from 1
 * @param secrets hashes of the secrets by which it may be claimed
 * @param owner the owner of the session, which a claim must match
 * @param content the state stored by the node, any text that UTF-8 can encode
 * @since 0.1.0
 */
public record SessionRecord(String key, String node, long incarnation, List<String> secrets, String owner,
		String content) {

	/** Copies the list. */
	public SessionRecord {
		secrets = List.copyOf(secrets);
	}

}
