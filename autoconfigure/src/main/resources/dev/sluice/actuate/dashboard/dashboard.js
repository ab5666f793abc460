"use strict";

/* Reads the endpoint once a second and keeps the last five minutes, in this page only. */

if (window.top !== window.self) {
	document.body.replaceChildren();
	throw new Error("This page cannot be shown in a frame");
}

const ENDPOINT = "throttling";
const SAMPLES = 300;
const SILENCE = 3_000;
const GIVEN_UP = 15_000;
const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const changes = meta("changes") === "true";
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const dark = matchMedia("(prefers-color-scheme: dark)");
const cards = new Map();
let last;

class Card {

	constructor(parent, template, title, labels, description) {
		this.element = document.getElementById(template).content.firstElementChild.cloneNode(true);
		this.element.dataset.name = title;
		this.description = description;
		document.getElementById(parent).append(this.element);
		this.title(title, "");
		this.chart = new Chart(this.element.querySelector("canvas"), {
			type: "line",
			data: { labels: [], datasets: labels.map((label) => ({ label, data: [], pointRadius: 0, borderWidth: 1.5 })) },
			options: {
				animation: false,
				maintainAspectRatio: false,
				interaction: { mode: "index", intersect: false },
				plugins: { legend: { labels: { boxWidth: 12, boxHeight: 2 } } },
				scales: { x: { display: false }, y: { beginAtZero: true, suggestedMax: 1, ticks: { maxTicksLimit: 4 } } },
			},
		});
		this.paint();
	}

	title(name, detail) {
		const small = document.createElement("small");
		small.textContent = detail;
		this.element.querySelector("h3").replaceChildren(name + " ", small);
	}

	paint() {
		const { data, options } = this.chart;
		data.datasets.forEach((dataset, i) => {
			dataset.borderColor = color(i ? "bad" : "accent");
			dataset.borderDash = i ? [4, 2] : [];
		});
		options.plugins.legend.labels.color = color("muted");
		options.scales.y.ticks.color = color("muted");
		options.scales.y.grid = { color: color("line") };
		this.chart.update();
	}

	values(values) {
		Object.entries(values).forEach(([name, value]) => {
			this.element.querySelector(`[data-value="${name}"]`).textContent = value;
		});
	}

	sample(values) {
		const { data, canvas } = this.chart;
		data.labels.push(new Date().toLocaleTimeString());
		data.datasets.forEach((dataset, i) => dataset.data.push(values[i]));
		if (data.labels.length > SAMPLES) {
			data.labels.shift();
			data.datasets.forEach((dataset) => dataset.data.shift());
		}
		const now = data.datasets.map((dataset, i) => `${dataset.label} ${values[i]}`).join(", ");
		canvas.setAttribute("aria-label", `${this.description}: ${now}`);
		this.chart.update("none");
	}

	/** Shows rows; one that was there stays, so that its buttons can be pressed. */
	rows(rows) {
		const body = this.element.querySelector("tbody");
		const before = new Map([...body.rows].map((row) => [row.dataset.key, row]));
		rows.forEach(({ key, cells, actions = {} }, i) => {
			const names = Object.keys(actions);
			const named = names.length ? `${key} ${names}` : String(i);
			const row = before.get(named) ?? createRow(named, cells.length, actions);
			before.delete(named);
			cells.forEach((cell, j) => {
				if (row.cells[j].firstChild.data !== String(cell)) {
					row.cells[j].firstChild.data = cell;
				}
			});
			if (body.rows[i] !== row) {
				body.insertBefore(row, body.rows[i] ?? null);
			}
		});
		before.forEach((row) => row.remove());
		this.element.querySelector("table").hidden = rows.length === 0;
	}

	remove() {
		this.chart.destroy();
		this.element.remove();
	}

}

/** Makes a row whose first cell has a button for each action. */
function createRow(key, cells, actions) {
	const row = document.createElement("tr");
	row.dataset.key = key;
	for (let i = 0; i < cells; i++) {
		row.insertCell().append("");
	}
	Object.entries(actions).forEach(([name, action]) => {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = name;
		button.addEventListener("click", action);
		row.cells[0].append(button);
	});
	return row;
}

const HIDDEN = "******";
const FIELDS = ["limit", "period", "buckets", "capacity", "minLimit", "maxLimit"];

/** The form that changes a limit; its input is kept until it is sent, with the version that it started from. */
class ChangeForm {

	constructor(card, name) {
		this.name = name;
		this.form = document.getElementById("change").content.firstElementChild.cloneNode(true);
		this.form.setAttribute("aria-label", `Change ${name}`);
		["input", "change"].forEach((type) => this.form.addEventListener(type, () => this.form.dataset.touched = "true"));
		this.form.addEventListener("submit", (event) => {
			event.preventDefault();
			this.send(event.submitter?.value);
		});
		card.element.append(this.form);
	}

	show(throttle) {
		const touched = this.form.dataset.touched;
		this.version = throttle.version;
		if (!touched) {
			this.seen = throttle.version;
		}
		this.form.querySelector("[value=remove]").hidden = throttle.source !== "runtime";
		FIELDS.forEach((name) => {
			const field = this.form.elements[name];
			field.disabled = throttle[name] === undefined || throttle.type === "mutex";
			field.closest("label").hidden = field.disabled;
			if (!touched) {
				field.value = plain(throttle[name] ?? "");
			}
		});
		if (!touched) {
			this.form.elements.dryRun.checked = throttle.dryRun;
		}
	}

	async send(operation) {
		const output = this.form.querySelector("output");
		const { name, version, seen } = this;
		const status = (operation === "remove")
				? await confirmed(`Remove the limit ${name}? Calls that use it will fail.`)
						&& await request(output, "POST", "throttles", { name, action: "remove", version }, "Removed")
				: await request(output, "POST", "throttles", { name, version: seen, ...values(this.form) }, "Changed");
		if (status === 200 || status === 409) {
			delete this.form.dataset.touched;
		}
	}

}

/** The values of a form for the fields that its type of limit has. */
function values(form) {
	const values = { dryRun: String(form.elements.dryRun.checked) };
	FIELDS.map((name) => form.elements[name]).filter((field) => !field.disabled)
		.forEach((field) => values[field.name] = field.value);
	return values;
}

/**
 * Sends a change to the endpoint, and shows the result; returns the status. The name is not part of the path, where a
 * server may reject some characters.
 */
async function request(output, method, kind, fields, done) {
	const query = (method === "DELETE") ? `?${new URLSearchParams(fields)}` : "";
	try {
		const response = await fetch(`${ENDPOINT}/${kind}${query}`, {
			method,
			redirect: "manual",
			headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
			body: query ? undefined : JSON.stringify(fields),
		});
		const answer = await response.json().catch(() => ({}));
		output.className = response.ok ? "" : "bad";
		output.textContent = response.ok ? done : answer.detail ?? rejection(response);
		if (response.ok || response.status === 409) {
			read();
		}
		return response.status;
	}
	catch (error) {
		output.className = "bad";
		output.textContent = "The application is unreachable";
		return 0;
	}
}

/** Explains a rejection that is not by the endpoint. */
function rejection(response) {
	if (response.type === "opaqueredirect" || response.status === 401) {
		return "The application requires a log-in: reload this page to log in";
	}
	if (response.status === 403) {
		return "The application forbids this change (status 403)";
	}
	return `Rejected with status ${response.status}`;
}

/** Requests confirmation of an action that cannot be undone. */
function confirmed(question) {
	const dialog = document.getElementById("confirm");
	document.getElementById("question").textContent = question;
	dialog.returnValue = "no";
	dialog.showModal();
	return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true }));
}

/** Does something to the inbound queue of a session, or to the session. */
async function operate(id, operation) {
	const output = document.querySelector("#operate output");
	if (operation === "close") {
		if (await confirmed(`Close the session ${id}?`)) {
			await request(output, "DELETE", "sessions", { name: id }, `Closing ${id}`);
		}
		return;
	}
	const done = { pause: "Paused", resume: "Resumed", drain: "Draining" }[operation];
	await request(output, "POST", "queues", { name: id, action: operation }, `${done} ${id}`);
}

/** Deletes a key or an owner of a limit, unless the limit has changed since the question. */
async function remove(card, name, parameters, question, done) {
	const { version } = last.throttles[name];
	if (await confirmed(question)) {
		await request(card.element.querySelector("form output"), "DELETE", "throttles", { name, version, ...parameters }, done);
	}
}

/** Whether a user who can read a name may change the item. */
function operable(...names) {
	return changes && !names.includes(HIDDEN);
}

function csrf() {
	if (meta("csrf-token")) {
		return { [meta("csrf-header")]: meta("csrf-token") };
	}
	const cookie = document.cookie.split("; ").find((one) => one.startsWith("XSRF-TOKEN="));
	return cookie ? { "X-XSRF-TOKEN": decodeURIComponent(cookie.substring("XSRF-TOKEN=".length)) } : {};
}

function card(key, create) {
	if (!cards.has(key)) {
		cards.set(key, create());
	}
	return cards.get(key);
}

/** Growth of a count per second since it was last read. */
function perSecond(state, path) {
	const value = (from) => path.reduce((at, step) => at?.[step], from);
	const before = last && value(last);
	const growth = before === undefined ? 0 : Math.max(0, value(state) - before);
	return last ? Math.round(growth / (state.at - last.at) * 10_000) / 10 : 0;
}

function showQueues(state) {
	Object.entries(state.queues).forEach(([name, queues]) => {
		const shown = card(`queue ${name}`, () => new Card("queues", "queue", name, ["Normal", "High"], `Tasks waiting in ${name}`));
		const { high, normal } = queues.waiting;
		shown.title(name, `queues: ${queues.count}, running: ${queues.running}, held: ${queues.held}, paused: ${queues.paused}`);
		shown.values({ waiting: high + normal, high, oldest: queues.oldestWait.toFixed(3), rate: perSecond(state, ["queues", name, "completed"]) });
		shown.sample([normal, high]);
		shown.rows(queues.deepest.map((queue) => ({
			key: queue.id,
			cells: [queue.id, queue.state, queue.waiting.high + queue.waiting.normal, queue.oldestWait.toFixed(3)],
			actions: name === "inbound" && operable(queue.id) ? queueActions(queue) : {},
		})));
		if (changes) {
			showExecutor(shown, name, queues);
		}
	});
}

function showBatches(state) {
	const batches = state.batches ?? {};
	document.getElementById("batching").hidden = Object.keys(batches).length === 0;
	Object.entries(batches).forEach(([name, batch]) => {
		const shown = card(`batch ${name}`, () => new Card("batches", "batch", name, ["Waiting", "In flight"], `Items and batches of ${name}`));
		shown.title(name, `batches: ${batch.batches}, retries: ${batch.retries}${batch.running ? "" : ", stopped"}`);
		shown.values({
			waiting: batch.waiting,
			inFlight: batch.inFlight,
			rate: perSecond(state, ["batches", name, "completed"]),
			lost: batch.failed + batch.rejected + batch.dropped,
		});
		shown.sample([batch.waiting, batch.inFlight]);
		shown.rows(batch.deepest.map(({ slot, waiting, inFlight }) => ({ key: String(slot), cells: [slot, waiting, inFlight], actions: {} })));
	});
}

function showCluster(state) {
	const { cluster } = state;
	document.getElementById("clustering").hidden = !cluster;
	if (!cluster) {
		return;
	}
	const shown = card("cluster node", () => new Card("cluster", "node", "node", ["Sent per second", "Received per second"], "Messages of this node"));
	const { nodes, topics } = cluster;
	const others = nodes.filter((node) => !node.local).length;
	shown.title(nodes.find((node) => node.local)?.name ?? "–", `${cluster.state}, ${others} other ${(others === 1) ? "node" : "nodes"}`);
	const { recovered, incomplete, ...failed } = cluster.resume.outcomes;
	shown.values({
		topics: topics.count,
		members: topics.members,
		lag: cluster.lag?.toFixed(3) ?? "–",
		gaps: cluster.gaps,
		suspended: cluster.resume.suspended,
		recovered,
		incomplete,
		notResumed: Object.values(failed).reduce((sum, count) => sum + count, 0),
	});
	shown.sample([perSecond(state, ["cluster", "sent"]), perSecond(state, ["cluster", "received"])]);
	shown.rows(topics.largest.map(({ name, members, waiting, oldestWait }) => ({ key: name, cells: [name, members, waiting, oldestWait.toFixed(3)] })));
}

function queueActions({ id, state }) {
	const pausing = state === "paused" ? ["Resume", "resume"] : ["Pause", "pause"];
	return { [pausing[0]]: () => operate(id, pausing[1]), Close: () => operate(id, "close") };
}

/** The form that changes an executor; its input is kept until it is sent, with the version that it started from. */
function showExecutor(shown, name, { maxTasksBeforeYield, version }) {
	const form = shown.element.querySelector("form");
	const field = form.elements.maxTasksBeforeYield;
	if (form.hidden) {
		form.hidden = false;
		form.setAttribute("aria-label", `Change ${name}`);
		field.addEventListener("input", () => form.dataset.touched = "true");
		form.addEventListener("submit", async (event) => {
			event.preventDefault();
			const change = { name, maxTasksBeforeYield: field.value, version: form.dataset.version };
			const status = await request(form.querySelector("output"), "POST", "executors", change, "Changed");
			if (status === 200 || status === 409) {
				delete form.dataset.touched;
			}
		});
	}
	if (!form.dataset.touched) {
		field.value = maxTasksBeforeYield;
		form.dataset.version = version;
	}
}

/** A value in which a period of one unit is short: "1s" for "PT1S". */
function plain(value) {
	return String(value).replace(/^PT(\d+)([HMS])$/, (period, number, unit) => number + unit.toLowerCase());
}

function describe(throttle) {
	const limit = throttle.limit ?? `${throttle.minLimit} to ${throttle.maxLimit} of ${throttle.capacity}`;
	return `${throttle.type}, ${limit}${throttle.period ? ` per ${plain(throttle.period)}` : ""}${throttle.dryRun ? ", dry run" : ""}`;
}

function showRate(state, name, throttle) {
	const shown = card(`rate ${name}`, () => new Card("rates", "rate", name, ["Admitted per second", "Rejected per second"], `Calls of ${name}`));
	const rejected = perSecond(state, ["throttles", name, "rejected"]);
	const [hottest] = throttle.hottest;
	shown.title(name, describe(throttle));
	shown.values({ used: hottest?.used ?? 0, remaining: hottest?.remaining ?? "–", rejected, waiting: throttle.waiting });
	shown.sample([perSecond(state, ["throttles", name, "admitted"]), rejected]);
	shown.rows(throttle.hottest.map((key) => ({
		key: key.key,
		cells: [key.key || "–", key.used, key.remaining, key.rejected],
		actions: operable(key.key) ? {
			Forget: () => remove(shown, name, { key: key.key }, `Reset the used permits of key ${key.key || "–"} of ${name}?`, "Forgotten"),
		} : {},
	})));
	return shown;
}

function showHeld(state, name, throttle) {
	const shown = card(`held ${name}`, () => new Card("held", "holding", name, ["Held", "Waiting"], `Permits of ${name}`));
	const since = (holder) => ((state.at - Date.parse(holder.since)) / 1000).toFixed(1);
	shown.title(name, describe(throttle));
	shown.values({ held: throttle.held, limit: throttle.limit, rejected: perSecond(state, ["throttles", name, "rejected"]), waiting: throttle.waiting });
	shown.sample([throttle.held, throttle.waiting]);
	shown.rows(throttle.holders.map(({ key, owner, waiting, ...holder }) => ({
		key: JSON.stringify([key, owner]),
		cells: [key || "–", owner, since(holder), waiting],
		actions: operable(key, owner) ? {
			Release: () => remove(shown, name, { key, owner }, `Release the permits of ${owner} for ${name}? Its work continues.`, "Released"),
		} : {},
	})));
	return shown;
}

function show(state) {
	const sessions = state.sessions;
	document.getElementById("operate").hidden = !changes || !sessions;
	document.getElementById("sessions").textContent = sessions ? `Open sessions: ${sessions.count}` : "";
	showQueues(state);
	showBatches(state);
	showCluster(state);
	Object.entries(state.throttles).forEach(([name, throttle]) => {
		const shown = (throttle.hottest ? showRate : showHeld)(state, name, throttle);
		if (changes) {
			shown.form ??= new ChangeForm(shown, name);
			shown.form.show(throttle);
		}
	});
	cards.forEach((shown, key) => {
		const [kind, name] = [key.split(" ", 1)[0], key.substring(key.indexOf(" ") + 1)];
		const present = { queue: state.queues, batch: state.batches ?? {}, cluster: state.cluster ? { node: true } : {} }[kind] ?? state.throttles;
		if (!present[name]) {
			shown.remove();
			cards.delete(key);
		}
	});
	last = state;
}

function status(text, lost) {
	const element = document.getElementById("status");
	element.className = lost ? "lost" : "";
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

/** Why an answer is none of the endpoint, and what to do; nothing for an answer to show. */
function problem(response) {
	if (response.type === "opaqueredirect" || response.status === 401) {
		return "The application requires a log-in: reload this page to log in";
	}
	if (response.status === 403) {
		return "The application forbids this user to read the endpoint throttling (status 403)";
	}
	if (response.status === 404) {
		return "The endpoint throttling is not exposed: add it to management.endpoints.web.exposure.include";
	}
	if (!response.ok) {
		return `The endpoint throttling answers with status ${response.status}`;
	}
	const type = response.headers.get("Content-Type") ?? "no type";
	return type.includes("json") ? undefined : `The answer is ${type} in place of JSON: a proxy or a log-in page may have sent it`;
}

let reading = 0;
let answered = Date.now();

/** Reads the endpoint, unless a request is open; an answer that does not come is reported, and given up. */
async function read() {
	if (reading) {
		if (Date.now() - reading > SILENCE) {
			status(`No answer since ${new Date(answered).toLocaleTimeString()}: the figures are old`, true);
		}
		return;
	}
	reading = Date.now();
	try {
		const response = await fetch(ENDPOINT, {
			headers: { Accept: "application/json" },
			cache: "no-store",
			redirect: "manual",
			signal: AbortSignal.timeout(GIVEN_UP),
		});
		const found = problem(response);
		document.querySelector("main").inert = found !== undefined;
		if (found) {
			status(found, true);
			return;
		}
		show({ ...await response.json(), at: Date.now() });
		answered = Date.now();
		status("Live");
		document.getElementById("status").title = `Figures of ${new Date(answered).toLocaleTimeString()}`;
	}
	catch (error) {
		status(error.name === "TimeoutError" ? `No answer since ${new Date(answered).toLocaleTimeString()}: the figures are old`
				: "The application is unreachable", true);
	}
	finally {
		reading = 0;
	}
}

/** The fields that each type of limit has, in the form that defines one. */
const FIELDS_OF = {
	"sliding-log": ["limit", "period"],
	"fixed-window": ["limit", "period"],
	"sliding-window": ["limit", "period", "buckets"],
	"dynamic-window": ["period", "buckets", "capacity", "minLimit", "maxLimit"],
	"token-bucket": ["limit", "period", "capacity"],
	semaphore: ["limit"],
	mutex: [],
};

/** Shows the forms that belong to no card. */
function showForms() {
	const define = document.getElementById("define");
	const showFields = () => FIELDS.forEach((name) => {
		const field = define.elements[name];
		field.disabled = !FIELDS_OF[define.elements.type.value].includes(name);
		field.closest("label").hidden = field.disabled;
	});
	define.elements.type.addEventListener("change", showFields);
	define.addEventListener("submit", async (event) => {
		event.preventDefault();
		const { name, type } = define.elements;
		const present = last?.throttles[name.value];
		if (present && !await confirmed(`Replace the limit ${name.value}, which is ${describe(present)}?`)) {
			return;
		}
		const change = { name: name.value, type: type.value, version: present?.version ?? 0, ...values(define) };
		await request(define.querySelector("output"), "POST", "throttles", change, `Defined ${name.value}`);
	});
	showFields();
	document.getElementById("defining").hidden = false;
	const sessions = document.getElementById("operate");
	sessions.addEventListener("submit", (event) => {
		event.preventDefault();
		operate(sessions.elements.id.value, event.submitter.value);
	});
}

if (changes) {
	showForms();
}
dark.addEventListener("change", () => cards.forEach((shown) => shown.paint()));
setInterval(() => document.hidden || read(), 1000);
read();
