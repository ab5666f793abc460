"use strict";

const $ = (id) => document.getElementById(id);
const sockets = new Set();
let wanted = false;
let noise;

/** Opens a socket; what it receives is parsed and handed over, with its text. */
function open(path, onOpen, onReply, onClose = () => {}) {
	const url = new URL(path, document.baseURI);
	url.protocol = url.protocol.replace("http", "ws");
	const socket = new WebSocket(url);
	socket.onopen = onOpen;
	socket.onmessage = (event) => onReply(JSON.parse(event.data), event.data);
	socket.onclose = (event) => {
		sockets.delete(socket);
		onClose(event);
	};
	sockets.add(socket);
	return socket;
}

/**
 * Opens a socket again when it ends, as long as the page is to be connected: at a random moment within
 * half a second, then one, two, and up to 30 seconds, so that the pages of a lost node do not come all at once.
 */
class Connection {
	#path;
	#callbacks;
	#socket;
	#failures = 0;
	#timer;

	constructor(path, callbacks) {
		this.#path = path;
		this.#callbacks = callbacks;
	}

	get online() {
		return this.#socket?.readyState === WebSocket.OPEN;
	}

	open() {
		const { onOpen, onReply, onLost } = this.#callbacks;
		let opened;
		clearTimeout(this.#timer);
		const socket = open(this.#path, () => {
			opened = performance.now();
			onOpen();
		}, onReply, (event) => {
			if (socket !== this.#socket) {
				return;
			}
			if (opened) {
				onLost(event);
			}
			this.#failures = (performance.now() - opened > 10_000) ? 0 : this.#failures + 1;
			const delay = Math.random() * Math.min(30_000, 500 * 2 ** this.#failures);
			this.#timer = setTimeout(() => wanted && this.open(), delay);
		});
		this.#socket = socket;
	}

	send(frame) {
		this.#socket.send(frame);
	}
}

const account = new Connection("bank", {
	onOpen: () => {
		announce("");
		$("balance").value = 100;
		log("frames", "note", "connected");
		show();
	},
	onReply: receive,
	onLost: (event) => {
		log("frames", "note", `disconnected, code ${event.code}`);
		stopNoise();
		show();
		if (wanted) {
			announce((event.code === 1001)
				? "The server is going away. It has answered all that it had taken; the page connects again by itself."
				: "The connection is lost, and the account with it. The page connects again by itself.");
		}
	},
});

const board = new Connection("board", {
	onOpen: show,
	onReply: read,
	onLost: show,
});

function connect() {
	wanted = true;
	account.open();
	board.open();
	show();
}

function disconnect() {
	wanted = false;
	announce("");
	sockets.forEach((socket) => socket.close());
	show();
}

function announce(text) {
	$("banner").textContent = text;
	$("banner").hidden = !text;
}

function show() {
	$("status").textContent = account.online ? "Online" : "Offline";
	$("status").classList.toggle("open", account.online);
	$("connect").textContent = wanted ? "Close" : "Connect";
	for (const button of document.querySelectorAll("main button")) {
		button.disabled = !account.online;
	}
	$("write").disabled = !board.online;
}

function send(type, amount) {
	const frame = JSON.stringify({ type, amount });
	account.send(frame);
	log("frames", "sent", `→\u00a0${frame}`);
}

function receive(reply, frame) {
	if ("balance" in reply) {
		$("balance").value = reply.balance.toLocaleString("en");
	}
	log("frames", reply.type, `←\u00a0${frame}`);
}

/** The first message of a board names the node; lines follow, and what is said of a note that is not taken. */
function read(message) {
	switch (message.type) {
		case "welcome":
			$("node").textContent = message.node;
			break;
		case "line":
			log("board", "line", element("strong", {}, message.node), ` ${message.text}`);
			break;
		case "gap":
			log("board", "error", "Lines are missing here.");
			break;
		default:
			log("board", message.type, message.detail ?? "Not so fast.");
	}
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

function log(id, kind, ...text) {
	const lines = $(id);
	const atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
	lines.append(element("p", { className: kind }, ...text));
	if (lines.children.length > 500) {
		lines.firstChild.remove();
	}
	if (atEnd) {
		lines.scrollTop = lines.scrollHeight;
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

$("connect").onclick = () => wanted ? disconnect() : connect();

$("commands").onsubmit = (event) => {
	event.preventDefault();
	send(event.submitter.value, $("amount").valueAsNumber);
};

$("notes").onsubmit = (event) => {
	event.preventDefault();
	board.send(JSON.stringify({ type: "note", text: $("note").value }));
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
