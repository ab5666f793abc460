// SPDX-License-Identifier: Apache-2.0
/*
 * Client of WebSocket endpoints whose sessions resume; implements docs/protocol.md of the project.
 *
 * Invariant: each received frame waits in the queue or was handled, and its position is reported to the server, so that
 * it is handled once, in order, across all connections. The stored state covers handled frames (with "at-most-once",
 * begun ones) and waiting direct frames. It is stored before it is acknowledged. A frame refers to its session, so that
 * a late handler changes only that state. Only events of the latest socket count. Attacked by history.test.mjs.
 */

const BACK_OFF = 500, MAX_BACK_OFF = 30_000, MAX_HINT = 300_000, ACK_FRAMES = 32, ACK_DELAY = 1_000, RECONNECTS = 4410;
const QUEUE_CAPACITY = 10_000; // above it, the connection is closed until half of the frames are handled
const TICK = 10_000, ASLEEP = 120_000; // timers of a page in the background may be delayed by a minute
const EVENTS = ["message", "gap", "session", "resumed", "state", "error"];
const ENDS = new Set([1000, 1002, 1003, 1007, 1008, 1009]);

export const connect = (url, options) => new SluiceClient(url, options);

export class SluiceClient {
  #url; #key; #options; #atMostOnce;
  #listeners = new Map(EVENTS.map((type) => [type, new Set()]));
  #state = "connecting";
  #session = null; #connection = null;
  #attempts = 0; #lastCode; #hinted = false; #full = false;
  #queue = []; #busy = false; #unacknowledged = 0;
  #timers = new Map(); #unlisten = [];

  constructor(url, options = {}) {
    const target = new URL(url, globalThis.location?.href);
    target.protocol = target.protocol.replace(/^http/, "ws");
    const { delivery = "at-least-once", key = `sluice:${target.href}`, on = {}, storage = pageStorage() } = options;
    const deliveries = ["at-least-once", "at-most-once"];
    if (!deliveries.includes(delivery)) throw new TypeError(`'delivery' must be one of ${deliveries}: ${delivery}`);
    [this.#url, this.#key] = [target.href, key];
    this.#atMostOnce = delivery === "at-most-once";
    this.#options = {
      WebSocket: globalThis.WebSocket, protocols: [], timeout: 15_000, random: Math.random, now: Date.now, page: globalThis,
      setTimeout: (action, delay) => setTimeout(action, delay), clearTimeout: (timer) => clearTimeout(timer), ...options, storage,
    };
    if (!this.#options.WebSocket) throw new TypeError("No WebSocket available; set the option 'WebSocket' to a class");
    Object.entries(on).forEach(([type, listener]) => this.on(type, listener));
    this.#load();
    this.#dial();
    this.#watch();
    Promise.resolve().then(() => this.#drain());
  }

  get state() { return this.#state; }
  get id() { return this.#session?.id; }

  on(type, listener) {
    if (!this.#listeners.has(type)) throw new TypeError(`'type' must be one of ${EVENTS}: ${type}`);
    this.#listeners.get(type).add(listener);
    return () => this.#listeners.get(type).delete(listener);
  }

  send(message) {
    if (!isObject(message)) throw new TypeError("'message' must be an object");
    if (["resume", "ack"].includes(message.type)) throw new TypeError(`'type' is one of the protocol: ${message.type}`);
    return Boolean(this.#connection?.greeted) && this.#transmit(message);
  }

  reconnect() {
    if (this.#state === "closed") return;
    this.#leave();
    this.#dial();
  }

  close() {
    if (this.#state === "closed") return;
    this.#queue.length = 0;
    this.#leave(1000);
    this.#end(1000, "");
  }

  #dial() {
    this.#full = false;
    const socket = new this.#options.WebSocket(this.#url, this.#options.protocols);
    const connection = { socket, greeted: false, token: undefined, hint: undefined };
    const ofLatest = (action) => (event) => { if (this.#connection === connection) action(event); };
    this.#connection = connection;
    socket.onopen = ofLatest(() => this.#introduce(connection));
    socket.onmessage = ofLatest((event) => this.#receive(connection, event.data));
    socket.onclose = ofLatest((event) => this.#lost(event.code, event.reason));
    socket.onerror = ofLatest(() => { if (socket.readyState === 0) this.#lost(); }); // Node 20 reports no close then
    this.#schedule("deadline", this.#options.timeout, () => this.#lost());
    this.#change("connecting");
  }

  #introduce(connection) {
    const { token, at, seq } = this.#session ?? {};
    connection.token = token;
    if (token !== undefined) this.#save(); // the reported positions are acknowledged by this frame
    this.#transmit(token === undefined ? { type: "resume" } : { type: "resume", token, at: Object.fromEntries(at), seq });
  }

  #receive(connection, data) {
    const frame = parse(data);
    if (!isObject(frame)) {
      this.#report(new Error("A frame of the server is not a JSON object"));
      this.#lost();
    } else if (connection.greeted && ("seq" in frame || "topic" in frame)) this.#take(frame);
    else if (frame.type === "goodbye") {
      connection.hint = hintOf(frame.reconnect);
      this.#schedule("deadline", this.#options.timeout, () => this.#lost());
    } else if (!connection.greeted) {
      this.#greet(connection, frame);
    }
  }

  #greet(connection, { type, token, ...event }) {
    if (type === "resumed" && connection.token !== undefined) {
      this.#session.token = token;
      for (const positions of [this.#session.at, this.#session.handled]) {
        [...positions.keys()].filter((topic) => !Object.hasOwn(event.recovered ?? {}, topic)).forEach((topic) => positions.delete(topic));
      }
    } else if (type === "session" && (connection.token === undefined || event.rejected !== undefined)) {
      this.#queue.length = 0;
      this.#session = newSession(token);
    } else {
      return; // a new session without "rejected" did not wait for "resume": 4408 follows, and the token stays valid
    }
    this.#session.id = event.id;
    connection.greeted = true;
    this.#attempts = 0;
    this.#cancel("deadline");
    if (type === "resumed") this.#acknowledge();
    else this.#save();
    this.#change("open");
    this.#emit(type, event);
  }

  #take(frame) {
    const session = this.#session;
    if (this.#queue.length >= QUEUE_CAPACITY) {
      this.#leave();
      this.#full = true;
      return this.#change("waiting");
    }
    if (!("seq" in frame)) move(session.at, frame);
    else if (frame.seq <= session.seq) return; // a repeated frame
    else {
      session.waiting.set(session.seq = frame.seq, frame);
      if (++this.#unacknowledged >= ACK_FRAMES) this.#acknowledge();
      else if (!this.#timers.has("ack")) this.#schedule("ack", ACK_DELAY, () => this.#acknowledge());
    }
    this.#queue.push({ frame, session });
    this.#drain();
  }

  #drain() {
    while (!this.#busy && this.#queue.length > 0) {
      this.#busy = true;
      const pending = this.#handle(this.#queue.shift());
      if (pending) pending.then(() => { this.#busy = false; this.#drain(); });
      else this.#busy = false;
    }
    if (this.#full && this.#queue.length <= QUEUE_CAPACITY / 2) this.#dial();
  }

  #handle({ frame, session }) {
    const type = (!("seq" in frame) && ["gap", "joined"].includes(frame.type)) ? frame.type : "message";
    const handled = () => {
      if ("seq" in frame) session.waiting.delete(frame.seq);
      else move(session.handled, frame);
      this.#save();
    };
    const early = type === "joined" || (this.#atMostOnce && type === "message");
    if (early) handled();
    if (type === "joined") return undefined;
    const pending = this.#emit(type, frame);
    if (!early && !pending) handled();
    return early ? pending : pending?.then(handled);
  }

  #acknowledge() {
    this.#cancel("ack");
    this.#unacknowledged = 0;
    this.#save(); // before it is sent, because it also invalidates the previous token
    if (this.#connection?.greeted) this.#transmit({ type: "ack", seq: this.#session.seq });
  }

  #transmit(frame) {
    const { socket } = this.#connection;
    if (socket.readyState !== 1) return false;
    socket.send(JSON.stringify(frame));
    return true;
  }

  #lost(code, reason = "") {
    const { greeted, token, hint } = this.#connection;
    this.#leave();
    if (!greeted && token !== undefined && (code === 1008 || code === 1009)) {
      this.#session = null; // more positions than the server accepts: only a new session is possible
      this.#save();
    } else if (ENDS.has(code) || (code >= 4000 && code !== 4408 && code !== 4500)) return this.#end(code, reason);
    const { random } = this.#options;
    const backOff = random() * Math.min(MAX_BACK_OFF, BACK_OFF * 2 ** this.#attempts++);
    const hinted = hint ? hint[0] + random() * (hint[1] - hint[0]) : 0;
    const atOnce = code === 4408 && this.#lastCode !== 4408;
    const delay = atOnce ? 0 : (hint && greeted) ? hinted : Math.max(hinted, backOff);
    this.#lastCode = code;
    this.#hinted = hint !== undefined;
    this.#schedule("retry", delay, () => this.#dial());
    this.#change("waiting", { code, reason, delay });
  }

  #leave(code = RECONNECTS) {
    const socket = this.#connection?.socket;
    [this.#connection, this.#unacknowledged, this.#full] = [null, 0, false];
    ["retry", "deadline", "ack"].forEach((name) => this.#cancel(name));
    socket?.close(code);
  }

  #end(code, reason) {
    this.#session = null;
    this.#save();
    this.#cancel("tick");
    this.#unlisten.forEach((unlisten) => unlisten());
    this.#change("closed", { code, reason });
  }

  /* A page that was suspended, or a network that has changed, may leave a connection that only looks alive. */
  #watch() {
    const { page, now } = this.#options;
    const wake = (replace) => { if (this.#state === "waiting" ? !this.#hinted : replace) this.reconnect(); };
    const listen = (target, type, listener) => {
      target?.addEventListener?.(type, listener);
      this.#unlisten.push(() => target?.removeEventListener?.(type, listener));
    };
    listen(page, "online", () => wake(true));
    listen(page, "pageshow", (event) => wake(event.persisted));
    listen(page?.document, "resume", () => wake(true));
    listen(page?.document, "visibilitychange", () => wake(false));
    const tick = (since) => this.#schedule("tick", TICK, () => {
      tick(now());
      if (now() - since > ASLEEP) wake(true);
    });
    tick(now());
  }

  #load() {
    const { token, at, seq, waiting } = attempt(() => JSON.parse(this.#options.storage.getItem(this.#key))) ?? {};
    if (typeof token !== "string" || !isObject(at) || !(seq >= 0) || !Array.isArray(waiting)) return;
    this.#session = newSession(token, Object.entries(at), seq, waiting);
    waiting.forEach((frame) => this.#queue.push({ frame, session: this.#session }));
  }

  #save() {
    const { storage } = this.#options, { token, handled, seq, waiting } = this.#session ?? {};
    const stored = token !== undefined && attempt(() => {
      storage?.setItem(this.#key, JSON.stringify({ token, at: Object.fromEntries(handled), seq, waiting: [...waiting.values()] }));
      return true;
    });
    if (!stored) attempt(() => storage?.removeItem(this.#key)); // the stored state is outdated: messages would be handled twice
  }

  #change(state, details = {}) {
    if (state === this.#state) return;
    this.#state = state;
    this.#emit("state", { state, ...details });
  }

  /* Returns a promise of the end of all listeners, if one has returned a promise. A failure counts as handled. */
  #emit(type, event) {
    const pending = [...this.#listeners.get(type)].map((listener) => {
      try { return listener(event); } catch (error) { return this.#report(error); }
    }).filter((result) => typeof result?.then === "function");
    return pending.length > 0 ? Promise.all(pending.map((one) => Promise.resolve(one).catch((error) => this.#report(error)))) : undefined;
  }

  #report(error) {
    const listeners = this.#listeners.get("error");
    for (const listener of listeners.size > 0 ? listeners : [console.error]) attempt(() => listener(error));
  }

  #schedule(name, delay, action) {
    this.#cancel(name);
    this.#timers.set(name, this.#options.setTimeout(() => { this.#timers.delete(name); action(); }, delay));
  }

  #cancel(name) {
    if (this.#timers.has(name)) this.#options.clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}

const attempt = (action) => { try { return action(); } catch { return undefined; } };
const parse = (data) => attempt(() => JSON.parse(data));
const pageStorage = () => attempt(() => globalThis.sessionStorage);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const newSession = (token, at = [], seq = 0, waiting = []) => ({
  id: undefined, token, seq, at: new Map(at), handled: new Map(at), waiting: new Map(waiting.map((frame) => [frame.seq, frame])),
});
const move = (positions, { topic, at }) => (typeof at === "string") ? positions.set(topic, at) : positions.delete(topic);
const hintOf = (reconnect) => {
  const [from, to] = Array.isArray(reconnect) ? reconnect.map((seconds) => Math.min(seconds * 1_000, MAX_HINT)) : [];
  return (from >= 0 && to >= from) ? [from, to] : undefined;
};
