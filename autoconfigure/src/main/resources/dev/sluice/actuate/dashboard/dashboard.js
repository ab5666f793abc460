"use strict";

/* Reads the endpoint once a second and keeps the last five minutes, in this page only. */

if (window.top !== window.self) {
	document.body.replaceChildren();
	throw new Error("This page is not shown in a frame");
}

const ENDPOINT = "throttling";
const SAMPLES = 300;
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

	rows(rows) {
		this.element.querySelector("tbody").replaceChildren(...rows.map((cells) => {
			const row = document.createElement("tr");
			cells.forEach((cell) => row.insertCell().textContent = cell);
			return row;
		}));
		this.element.querySelector("table").hidden = rows.length === 0;
	}

	remove() {
		this.chart.destroy();
		this.element.remove();
	}

}

const FIELDS = ["limit", "period", "buckets", "capacity", "minLimit", "maxLimit"];

/** The form that changes a limit; what is typed into it stays until it is sent. */
class ChangeForm {

	constructor(card, name) {
		this.name = name;
		this.form = document.getElementById("change").content.firstElementChild.cloneNode(true);
		this.form.setAttribute("aria-label", `Change ${name}`);
		["input", "change"].forEach((type) => this.form.addEventListener(type, () => this.form.dataset.touched = "true"));
		this.form.addEventListener("submit", (event) => {
			event.preventDefault();
			this.send();
		});
		card.element.append(this.form);
	}

	show(throttle) {
		this.throttle = throttle;
		const touched = this.form.dataset.touched;
		FIELDS.forEach((name) => {
			const field = this.form.elements[name];
			field.disabled = throttle[name] === undefined || throttle.type === "mutex";
			field.closest("label").hidden = field.disabled;
			if (!touched) {
				field.value = throttle[name] ?? "";
			}
		});
		if (!touched) {
			this.form.elements.dryRun.checked = throttle.dryRun;
		}
	}

	async send() {
		const change = { version: this.throttle.version, dryRun: String(this.form.elements.dryRun.checked) };
		FIELDS.map((name) => this.form.elements[name]).filter((field) => !field.disabled)
			.forEach((field) => change[field.name] = field.value);
		const output = this.form.querySelector("output");
		try {
			const response = await fetch(`${ENDPOINT}/throttles/${encodeURIComponent(this.name)}`, {
				method: "POST",
				headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
				body: JSON.stringify(change),
			});
			const answer = await response.json().catch(() => ({}));
			output.className = response.ok ? "" : "bad";
			output.textContent = response.ok ? "Changed" : answer.detail ?? `Rejected with status ${response.status}`;
			if (response.ok || response.status === 409) {
				delete this.form.dataset.touched;
				read();
			}
		}
		catch (error) {
			output.className = "bad";
			output.textContent = "The application cannot be reached";
		}
	}

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

/** How much a count has grown a second since it was last read. */
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
		shown.title(name, `${queues.count} queues, ${queues.running} running, ${queues.held} held, ${queues.paused} paused`);
		shown.values({ waiting: high + normal, high, oldest: queues.oldestWait.toFixed(3), rate: perSecond(state, ["queues", name, "completed"]) });
		shown.sample([normal, high]);
		shown.rows(queues.deepest.map((queue) => [queue.id, queue.state, queue.waiting.high + queue.waiting.normal, queue.oldestWait.toFixed(3)]));
	});
}

function describe(throttle) {
	const limit = throttle.limit ?? `${throttle.minLimit} to ${throttle.maxLimit} of ${throttle.capacity}`;
	return `${throttle.type}, ${limit}${throttle.period ? ` in ${throttle.period}` : ""}${throttle.dryRun ? ", dry run" : ""}`;
}

function showRate(state, name, throttle) {
	const shown = card(`rate ${name}`, () => new Card("rates", "rate", name, ["Admitted a second", "Rejected a second"], `Calls of ${name}`));
	const rejected = perSecond(state, ["throttles", name, "rejected"]);
	const [hottest] = throttle.hottest;
	shown.title(name, describe(throttle));
	shown.values({ used: hottest?.used ?? 0, remaining: hottest?.remaining ?? "–", rejected, waiting: throttle.waiting });
	shown.sample([perSecond(state, ["throttles", name, "admitted"]), rejected]);
	shown.rows(throttle.hottest.map((key) => [key.key || "–", key.used, key.remaining, key.rejected]));
	return shown;
}

function showHeld(state, name, throttle) {
	const shown = card(`held ${name}`, () => new Card("held", "holding", name, ["Held", "Waiting"], `Permits of ${name}`));
	const since = (holder) => ((state.at - Date.parse(holder.since)) / 1000).toFixed(1);
	shown.title(name, describe(throttle));
	shown.values({ held: throttle.held, limit: throttle.limit, rejected: perSecond(state, ["throttles", name, "rejected"]), waiting: throttle.waiting });
	shown.sample([throttle.held, throttle.waiting]);
	shown.rows(throttle.holders.map((holder) => [holder.key || "–", holder.owner, since(holder), holder.waiting]));
	return shown;
}

function show(state) {
	const sessions = state.sessions;
	document.getElementById("sessions").textContent = sessions ? `Open sessions: ${sessions.count}` : "";
	showQueues(state);
	Object.entries(state.throttles).forEach(([name, throttle]) => {
		const shown = (throttle.hottest ? showRate : showHeld)(state, name, throttle);
		if (changes) {
			shown.form ??= new ChangeForm(shown, name);
			shown.form.show(throttle);
		}
	});
	cards.forEach((shown, key) => {
		const [kind, name] = [key.split(" ", 1)[0], key.substring(key.indexOf(" ") + 1)];
		if (!(kind === "queue" ? state.queues : state.throttles)[name]) {
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

async function read() {
	try {
		const response = await fetch(ENDPOINT, { headers: { Accept: "application/json" }, cache: "no-store" });
		if (!response.ok) {
			status(response.status === 404
					? "The endpoint throttling is not exposed: add it to management.endpoints.web.exposure.include"
					: `The endpoint throttling answers with status ${response.status}`, true);
			return;
		}
		show({ ...await response.json(), at: Date.now() });
		status("Live");
	}
	catch (error) {
		status("The application cannot be reached", true);
	}
}

dark.addEventListener("change", () => cards.forEach((shown) => shown.paint()));
setInterval(() => document.hidden || read(), 1000);
read();
