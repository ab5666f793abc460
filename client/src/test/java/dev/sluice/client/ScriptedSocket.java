package dev.sluice.client;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A WebSocket that does nothing of itself, and keeps what it is given to send. */
final class ScriptedSocket implements WebSocket {

	final CompletableFuture<WebSocket> opened = new CompletableFuture<>();

	final List<String> sent = new ArrayList<>();

	private final Listener listener;

	int pings;

	int closedWith;

	boolean stalled;

	ScriptedSocket(Listener listener) {
		this.listener = listener;
	}

	ScriptedSocket open() {
		this.listener.onOpen(this);
		this.opened.complete(this);
		return this;
	}

	/** Receives texts, with double quotes for single ones. */
	ScriptedSocket say(String... texts) {
		for (String text : texts) {
			this.listener.onText(this, text.replace('\'', '"'), true);
		}
		return this;
	}

	void end(int code) {
		this.listener.onClose(this, code, "");
	}

	void pong() {
		this.listener.onPong(this, ByteBuffer.allocate(0));
	}

	@Override
	public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
		this.sent.add(data.toString().replace('"', '\''));
		return this.stalled ? new CompletableFuture<>() : CompletableFuture.completedFuture(this);
	}

	@Override
	public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
		this.pings++;
		return CompletableFuture.completedFuture(this);
	}

	@Override
	public CompletableFuture<WebSocket> sendClose(int code, String reason) {
		this.closedWith = code;
		return CompletableFuture.completedFuture(this);
	}

	@Override
	public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void request(long count) {
	}

	@Override
	public String getSubprotocol() {
		return "";
	}

	@Override
	public boolean isOutputClosed() {
		return this.closedWith != 0;
	}

	@Override
	public boolean isInputClosed() {
		return this.closedWith != 0;
	}

	@Override
	public void abort() {
	}

}
