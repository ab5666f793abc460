"use strict";

const $ = (id) => document.getElementById(id);
let socket;

function connect() {
	const url = new URL("bank", document.baseURI);
	url.protocol = url.protocol.replace("http", "ws");
	socket = new WebSocket(url);
	socket.onopen = () => {
		$("balance").value = 100;
		log("note", "connected");
		show();
	};
	socket.onmessage = (event) => receive(event.data);
	socket.onclose = (event) => {
		log("note", `disconnected, code ${event.code}`);
		show();
	};
	show();
}

function show() {
	const state = socket.readyState;
	const open = state === WebSocket.OPEN;
	$("status").textContent = open ? "Online" : "Offline";
	$("status").classList.toggle("open", open);
	$("connect").textContent = open ? "Close" : "Connect";
	$("connect").disabled = state === WebSocket.CONNECTING || state === WebSocket.CLOSING;
	for (const button of $("commands").querySelectorAll("button")) {
		button.disabled = !open;
	}
}

function send(type, amount) {
	const frame = JSON.stringify({ type, amount });
	socket.send(frame);
	log("sent", `→\u00a0${frame}`);
}

function receive(frame) {
	const reply = JSON.parse(frame);
	if ("balance" in reply) {
		$("balance").value = reply.balance.toLocaleString("en");
	}
	log(reply.type, `←\u00a0${frame}`);
}

function log(kind, text) {
	const frames = $("frames");
	const atEnd = frames.scrollHeight - frames.scrollTop - frames.clientHeight < 40;
	frames.append(element("p", { className: kind }, text));
	if (frames.children.length > 500) {
		frames.firstChild.remove();
	}
	if (atEnd) {
		frames.scrollTop = frames.scrollHeight;
	}
}

async function poll() {
	if (!document.hidden) {
		try {
			const response = await fetch("actuator/throttling");
			if (!response.ok) {
				throw new Error(`status ${response.status}`);
			}
			const state = await response.json();
			$("queues").replaceChildren(...Object.entries(state.queues).map(queueRow));
			$("sessions").textContent = plural(state.sessions.count, "open session");
			$("limits").replaceChildren(...Object.entries(state.throttles).map(limitCard));
			$("endpoint").textContent = "";
		}
		catch (error) {
			$("endpoint").textContent = `Not available: ${error.message}.`;
		}
	}
	setTimeout(poll, 500);
}

function queueRow([name, queue]) {
	const cells = [queue.running, queue.waiting.high + queue.waiting.normal, queue.oldestWait.toFixed(3), queue.completed];
	return element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell)));
}

function limitCard([name, throttle]) {
	const period = throttle.period ? ` per ${throttle.period.slice(2).toLowerCase()}` : "";
	const used = throttle.hottest?.[0]?.used ?? throttle.held ?? 0;
	return element("div", { className: "limit" },
		element("p", {}, element("strong", {}, name), `${throttle.limit}${period}, ${plural(throttle.keys, "key")}`),
		element("progress", { max: throttle.limit, value: used, ariaLabel: `${name}: used by the busiest key` }),
		element("p", { className: "hint" }, element("span", {}, `${used} used by the busiest key`),
			element("span", {}, `${throttle.admitted} admitted, ${throttle.rejected} rejected`)));
}

function plural(count, noun) {
	return `${count} ${noun}${(count === 1) ? "" : "s"}`;
}

function element(tag, properties, ...children) {
	const node = Object.assign(document.createElement(tag), properties);
	node.append(...children);
	return node;
}

$("connect").onclick = () => {
	if (socket?.readyState === WebSocket.OPEN) {
		socket.close();
		show();
	}
	else {
		connect();
	}
};

$("commands").onsubmit = (event) => {
	event.preventDefault();
	send(event.submitter.value, $("amount").valueAsNumber);
};

$("burst").onclick = () => {
	for (let i = 0; i < 10; i++) {
		send("deposit", 10);
		send("withdraw", 10);
	}
};

poll();
