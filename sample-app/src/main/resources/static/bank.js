import { connect as connectSession } from "./sluice/sluice-client.js";

const $ = (id) => document.getElementById(id);
const tables = new Set();
const logs = ["frames", "board"];
let account;
let board;
let online = false;
let noise;

/** Connects, or resumes the session of the page before it was reloaded. Both sessions reconnect by themselves. */
function connect() {
	sessionStorage.setItem("connected", true);
	account = connectSession("bank", { on: { message: receive, session: begin, state: change } });
	board = connectSession("board", { on: { message: read, gap: () => log("board", "error", "Lines are missing here."), state: show } });
	show();
}

function disconnect() {
	sessionStorage.removeItem("connected");
	[account, board, ...tables].forEach((each) => each.close());
	account = board = undefined;
	announce("");
	show();
}

/** The session is new, and so is its account. */
function begin({ rejected }) {
	announce(rejected ? "The account has expired because the page was disconnected for too long. This is a new one." : "");
	$("balance").value = 100;
}

function change({ state, code }) {
	if (state === "open") {
		announce("");
		log("frames", "note", "connected");
	}
	else if (online) {
		log("frames", "note", `disconnected, code ${code ?? 1006}`);
		stopNoise();
		announce((state === "closed") ? "The session has ended."
			: (code === 1001) ? "The server is going away. It has answered all accepted commands; the page reconnects by itself."
			: "The connection is lost. The page reconnects by itself and resumes the account.");
	}
	online = state === "open";
	show();
}

/** Opens the socket of a table, whose session ends with it; parses the messages it receives. */
function openTable(onOpen, onReply) {
	const url = new URL("table", document.baseURI);
	url.protocol = url.protocol.replace("http", "ws");
	const table = new WebSocket(url);
	table.onopen = onOpen;
	table.onmessage = (event) => onReply(JSON.parse(event.data));
	table.onclose = () => tables.delete(table);
	tables.add(table);
	return table;
}

function announce(text) {
	$("banner").textContent = text;
	$("banner").hidden = !text;
}

function show() {
	$("status").textContent = online ? "Online" : "Offline";
	$("status").classList.toggle("open", online);
	$("connect").textContent = account ? "Close" : "Connect";
	for (const button of document.querySelectorAll("main button")) {
		button.disabled = !online;
	}
	$("write").disabled = board?.state !== "open";
}

function send(type, amount) {
	const command = { type, amount };
	if (account.send(command)) {
		log("frames", "sent", `→\u00a0${JSON.stringify(command)}`);
	}
}

function receive({ seq, ...reply }) {
	if ("balance" in reply) {
		$("balance").value = reply.balance.toLocaleString("en");
	}
	log("frames", reply.type, `←\u00a0${JSON.stringify(reply)}`);
}

/** The first message of a board contains the node. Lines follow, and answers to rejected notes. */
function read(message) {
	switch (message.type) {
		case "welcome":
			$("node").textContent = message.node;
			break;
		case "line":
			log("board", "line", element("strong", {}, message.node), ` ${message.text}`);
			break;
		default:
			log("board", message.type, message.detail ?? "Too many notes.");
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
	const table = openTable(() => {
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

/** One table exceeds its limit with orders; the table next to it orders when it has eaten. */
function startNoise() {
	const counts = { "noisy-served": 0, "noisy-throttled": 0, "quiet-served": 0 };
	const count = (id) => $(id).textContent = ++counts[id];
	let asked;
	let longest = 0;
	const noisy = openTable(() => {}, (reply) => count((reply.type === "dish") ? "noisy-served" : "noisy-throttled"));
	const ask = () => {
		if (quiet.readyState === WebSocket.OPEN) {
			asked = performance.now();
			order(quiet, "order", counts["quiet-served"] + 1);
		}
	};
	const quiet = openTable(ask, () => {
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

$("connect").onclick = () => account ? disconnect() : connect();

$("commands").onsubmit = (event) => {
	event.preventDefault();
	send(event.submitter.value, $("amount").valueAsNumber);
};

$("notes").onsubmit = (event) => {
	event.preventDefault();
	board.send({ type: "note", text: $("note").value });
};

$("burst").onclick = () => {
	for (let i = 0; i < 10; i++) {
		send("deposit", 10);
		send("withdraw", 10);
	}
};

$("rush").onclick = startRush;
$("noise").onclick = () => noise ? stopNoise() : startNoise();

/* A reloaded page shows its previous content, and receives the rest by resuming its session. */
addEventListener("pagehide", () => logs.forEach((id) => sessionStorage.setItem(id, $(id).innerHTML)));
if (sessionStorage.getItem("connected")) {
	logs.forEach((id) => $(id).innerHTML = sessionStorage.getItem(id));
	connect();
}
poll();
