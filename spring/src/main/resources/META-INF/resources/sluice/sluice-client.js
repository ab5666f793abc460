// SPDX-License-Identifier: Apache-2.0
/*
 * A client of WebSocket endpoints whose sessions resume; docs/protocol.md of the project is what it speaks.
 *
 * Invariant: a position that is named or stored is that of a frame that was received, and no frame before it is unhandled (or, where
 * nothing may come twice, unseen). Frames are handled one after another; the position is taken after the handler, or before it. What
 * waits to be handled when "resume" is sent is dropped, as it comes again. A handler that fails makes its topic "stuck" until then:
 * later positions are not taken. A frame carries its session and that set, so that a late handler of an earlier connection moves only
 * what was its own. Events of a socket count only while it is the latest. Attacked by history.test.mjs and ClientSocketsTests.
 */

const BACK_OFF = 500, MAX_BACK_OFF = 30_000, MAX_HINT = 300_000, ACK_FRAMES = 32, ACK_DELAY = 1_000, RECONNECTS = 4410;
const TICK = 10_000, ASLEEP = 120_000; // a page in the background waits up to a minute for its timers
const EVENTS = ["message", "gap", "session", "resumed", "state", "error"];
const ENDS = new Set([1000, 1002, 1003, 1007, 1008, 1009]);

export const connect = (url, options) => new SluiceClient(url, options);

export class SluiceClient {
  #url; #key; #options; #atMostOnce;
  #listeners = new Map(EVENTS.map((type) => [type, new Set()]));
  #state = "connecting";
  #session = null; #connection = null;
  #attempts = 0; #lastCode; #hinted = false;
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
    if (!this.#options.WebSocket) throw new TypeError("There is no WebSocket here; give a class as option 'WebSocket'");
    Object.entries(on).forEach(([type, listener]) => this.on(type, listener));
    this.#load();
    this.#dial();
    this.#watch();
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
    const socket = new this.#options.WebSocket(this.#url, this.#options.protocols);
    const connection = { socket, greeted: false, token: undefined, hint: undefined };
    const ofLatest = (action) => (event) => { if (this.#connection === connection) action(event); };
    this.#connection = connection;
    socket.onopen = ofLatest(() => this.#introduce(connection));
    socket.onmessage = ofLatest((event) => this.#receive(connection, event.data));
    socket.onclose = ofLatest((event) => this.#lost(event.code, event.reason));
    socket.onerror = ofLatest(() => { if (socket.readyState === 0) this.#lost(); }); // Node 20 tells of no close then
    this.#schedule("deadline", this.#options.timeout, () => this.#lost());
    this.#change("connecting");
  }

  #introduce(connection) {
    const { token, at, seq } = this.#session ?? {};
    this.#queue.length = 0;
    connection.token = token;
    if (token !== undefined) this.#session.stuck = new Set();
    this.#transmit(token === undefined ? { type: "resume" } : { type: "resume", token, at: Object.fromEntries(at), seq });
  }

  #receive(connection, data) {
    const frame = parse(data);
    if (!isObject(frame)) {
      this.#report(new Error("A frame of the server is no JSON object"));
      this.#lost();
    } else if (connection.greeted && ("seq" in frame || "topic" in frame)) {
      this.#queue.push({ frame, session: this.#session, stuck: this.#session.stuck });
      this.#drain();
    } else if (frame.type === "goodbye") {
      connection.hint = hintOf(frame.reconnect);
      this.#schedule("deadline", this.#options.timeout, () => this.#lost());
    } else if (!connection.greeted) {
      this.#greet(connection, frame);
    }
  }

  #greet(connection, { type, token, ...event }) {
    if (type === "resumed" && connection.token !== undefined) {
      this.#session.token = token;
      for (const topic of [...this.#session.at.keys()]) {
        if (!Object.hasOwn(event.recovered ?? {}, topic)) this.#session.at.delete(topic);
      }
    } else if (type === "session" && (connection.token === undefined || event.rejected !== undefined)) {
      this.#queue.length = 0;
      this.#session = newSession(token, new Map(), 0);
    } else {
      return; // a new session without "rejected" has not waited for "resume": 4408 follows, and the token stays good
    }
    this.#session.id = event.id;
    connection.greeted = true;
    this.#attempts = 0;
    this.#cancel("deadline");
    this.#save(); // before the first frame behind "resumed", which makes the token before worthless
    if (type === "resumed") this.#acknowledge();
    this.#change("open");
    this.#emit(type, event);
  }

  #drain() {
    while (!this.#busy && this.#queue.length > 0) {
      this.#busy = true;
      const pending = this.#handle(this.#queue.shift());
      if (pending) pending.then(() => { this.#busy = false; this.#drain(); });
      else this.#busy = false;
    }
  }

  #handle(item) {
    const { frame, session, stuck } = item;
    const type = (!("seq" in frame) && ["gap", "joined"].includes(frame.type)) ? frame.type : "message";
    if (type === "message" && isDouble(frame, session)) return undefined;
    const early = type === "joined" || (this.#atMostOnce && type === "message");
    if (early) this.#take(item);
    if (type === "joined") return undefined;
    const settle = (handled) => {
      if (!handled && !this.#atMostOnce) {
        stuck.add(keyOf(frame));
      } else if (!early) {
        if (type === "gap") stuck.delete(keyOf(frame)); // the state that was loaded anew holds what had failed
        this.#take(item);
      }
    };
    const handled = this.#emit(type, frame);
    return (typeof handled === "boolean") ? settle(handled) : handled.then(settle);
  }

  #take({ frame, session, stuck }) {
    if (stuck.has(keyOf(frame))) return;
    if ("seq" in frame) session.seq = frame.seq;
    else if (typeof frame.at === "string") session.at.set(frame.topic, frame.at);
    else session.at.delete(frame.topic);
    this.#save();
    if (!("seq" in frame)) return;
    if (++this.#unacknowledged >= ACK_FRAMES) this.#acknowledge();
    else if (!this.#timers.has("ack")) this.#schedule("ack", ACK_DELAY, () => this.#acknowledge());
  }

  #acknowledge() {
    this.#cancel("ack");
    this.#unacknowledged = 0;
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
      this.#session = null; // more positions than the server takes: a new session is what is left
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
    this.#connection = null;
    this.#unacknowledged = 0;
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
    const { token, at, seq } = attempt(() => JSON.parse(this.#options.storage.getItem(this.#key))) ?? {};
    if (typeof token === "string" && isObject(at) && seq >= 0) this.#session = newSession(token, new Map(Object.entries(at)), seq);
  }

  #save() {
    const { storage } = this.#options, { token, at, seq } = this.#session ?? {};
    const stored = token !== undefined && attempt(() => {
      storage?.setItem(this.#key, JSON.stringify({ token, at: Object.fromEntries(at), seq }));
      return true;
    });
    if (!stored) attempt(() => storage?.removeItem(this.#key)); // what is there is too old: messages would come twice
  }

  #change(state, details = {}) {
    if (state === this.#state) return;
    this.#state = state;
    this.#emit("state", { state, ...details });
  }

  /* Returns whether all listeners have handled it, or a promise of that where one returned a promise. */
  #emit(type, event) {
    const failed = (error) => { this.#report(error); return false; };
    const results = [...this.#listeners.get(type)].map((listener) => {
      try {
        const result = listener(event);
        return (typeof result?.then === "function") ? Promise.resolve(result).then(() => true, failed) : true;
      } catch (error) {
        return failed(error);
      }
    });
    const waits = results.some((result) => typeof result !== "boolean");
    return waits ? Promise.all(results).then((all) => all.every(Boolean)) : results.every(Boolean);
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
const newSession = (token, at, seq) => ({ id: undefined, token, at, seq, stuck: new Set() });
const keyOf = (frame) => ("seq" in frame) ? null : frame.topic;
const isDouble = ({ seq, topic, at }, session) => (seq !== undefined) ? seq <= session.seq : at !== undefined && session.at.get(topic) === at;
const hintOf = (reconnect) => {
  const [from, to] = Array.isArray(reconnect) ? reconnect.map((seconds) => Math.min(seconds * 1_000, MAX_HINT)) : [];
  return (from >= 0 && to >= from) ? [from, to] : undefined;
};
