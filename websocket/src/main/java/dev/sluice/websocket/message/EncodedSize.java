package dev.sluice.websocket.message;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** Size in bytes of a message's payload on the wire, computed without encoding it. */
public final class EncodedSize {

	private EncodedSize() {
	}

	/** Returns whether a text has no unpaired surrogate. */
	public static boolean isEncodable(CharSequence text) {
		try {
			of(text);
			return true;
		}
		catch (UnencodableTextException ex) {
			return false;
		}
	}

	/**
	 * Returns the number of payload bytes.
	 * @throws UnencodableTextException for a text with an unpaired surrogate, which has
	 * no encoding and would stop the container's sender in the middle of a message
	 */
	public static int of(WebSocketMessage<?> message) {
		return (message instanceof TextMessage text) ? of(text.getPayload()) : message.getPayloadLength();
	}

	public static int of(CharSequence text) {
		int length = text.length();
		int bytes = length;
		for (int i = 0; i < length; i++) {
			char c = text.charAt(i);
			if (c < 0x80) {
				continue;
			}
			if (c < 0x800) {
				bytes++;
			}
			else if (!Character.isSurrogate(c)) {
				bytes += 2;
			}
			else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
				bytes += 2;
				i++;
			}
			else {
				throw new UnencodableTextException(i);
			}
		}
		return bytes;
	}

}
