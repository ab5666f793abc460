"use strict";

const $ = (id) => document.getElementById(id);
const sockets = new Set();
let account;
let noise;

/** Opens a socket; what it receives is parsed and handed over, with its text. */
function open(path, onOpen, onReply) {
	const url = new URL(path, document.baseURI);
	url.protocol = url.protocol.replace("http", "ws");
	const socket = new WebSocket(url);
	socket.onopen = onOpen;
	socket.onmessage = (event) => onReply(JSON.parse(event.data), event.data);
	socket.onclose = (event) => {
		sockets.delete(socket);
		if (event.code === 1001) {
			announce("The server is going away. It has answered all that it had taken; connect again in a moment.");
		}
		if (socket === account) {
			log("note", `disconnected, code ${event.code}`);
			disconnect();
		}
	};
	sockets.add(socket);
	return socket;
}

function connect() {
	account = open("bank", () => {
		announce("");
		$("balance").value = 100;
		log("note", "connected");
		show();
	}, receive);
	show();
}

function disconnect() {
	stopNoise();
	sockets.forEach((socket) => socket.close());
	show();
}

function announce(text) {
	$("banner").textContent = text;
	$("banner").hidden = !text;
}

function show() {
	const state = account.readyState;
	const online = state === WebSocket.OPEN;
	$("status").textContent = online ? "Online" : "Offline";
	$("status").classList.toggle("open", online);
	$("connect").textContent = online ? "Close" : "Connect";
	$("connect").disabled = state === WebSocket.CONNECTING || state === WebSocket.CLOSING;
	for (const button of document.querySelectorAll("main button")) {
		button.disabled = !online;
	}
}

function send(type, amount) {
	const frame = JSON.stringify({ type, amount });
	account.send(frame);
	log("sent", `→\u00a0${frame}`);
}

function receive(reply, frame) {
	if ("balance" in reply) {
		$("balance").value = reply.balance.toLocaleString("en");
	}
	log(reply.type, `←\u00a0${frame}`);
}

function order(table, type, number) {
	table.send(JSON.stringify({ type, number }));
}

/** Twenty orders of one table, then one of the boss. */
function startRush() {
	const orders = 20;
	let asked;
	let served = 0;
	$("rush").disabled = true;
	$("rush-before").textContent = $("rush-wait").textContent = "–";
	const table = open("table", () => {
		for (let number = 1; number <= orders; number++) {
			order(table, "order", number);
		}
		order(table, "boss", orders + 1);
		asked = performance.now();
		$("rush-orders").textContent = orders;
	}, (dish) => {
		if (dish.boss) {
			$("rush-before").textContent = served;
			$("rush-wait").textContent = milliseconds(performance.now() - asked);
		}
		served++;
		$("rush-served").textContent = served;
		if (served > orders) {
			table.close();
			$("rush").disabled = false;
		}
	});
}

/** One table orders more than it may; one beside it orders when it has eaten. */
function startNoise() {
	const counts = { "noisy-served": 0, "noisy-throttled": 0, "quiet-served": 0 };
	const count = (id) => $(id).textContent = ++counts[id];
	let asked;
	let longest = 0;
	const noisy = open("table", () => {}, (reply) => count((reply.type === "dish") ? "noisy-served" : "noisy-throttled"));
	const ask = () => {
		if (quiet.readyState === WebSocket.OPEN) {
			asked = performance.now();
			order(quiet, "order", counts["quiet-served"] + 1);
		}
	};
	const quiet = open("table", ask, () => {
		longest = Math.max(longest, performance.now() - asked);
		$("quiet-wait").textContent = milliseconds(longest);
		count("quiet-served");
		setTimeout(ask, 200);
	});
	let number = 0;
	const timer = setInterval(() => {
		for (let i = 0; i < 6 && noisy.readyState === WebSocket.OPEN; i++) {
			order(noisy, "order", ++number);
		}
	}, 100);
	noise = { timer, tables: [noisy, quiet] };
	$("noise").ariaPressed = "true";
}

function stopNoise() {
	clearInterval(noise?.timer);
	noise?.tables.forEach((table) => table.close());
	noise = undefined;
	$("noise").ariaPressed = "false";
}

function milliseconds(time) {
	return `${Math.round(time)} ms`;
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

$("connect").onclick = () => (account?.readyState === WebSocket.OPEN) ? disconnect() : connect();

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

$("rush").onclick = startRush;
$("noise").onclick = () => noise ? stopNoise() : startNoise();

poll();
