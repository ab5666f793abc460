// Time, sockets and storage that tests rule.

import { connect } from "../../main/resources/META-INF/resources/sluice/sluice-client.js";

export const flush = () => new Promise((resolve) => setImmediate(resolve));

export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Clock {
  time = 1_000_000;
  tasks = new Set();

  set(action, delay) {
    const task = { at: this.time + delay, action };
    this.tasks.add(task);
    return task;
  }

  clear(task) {
    this.tasks.delete(task);
  }

  /** Runs what is due, in order; what promises bring is done before the next. */
  async run(delay) {
    const end = this.time + delay;
    await flush();
    for (let next = this.next(end); next; next = this.next(end)) {
      this.tasks.delete(next);
      this.time = Math.max(this.time, next.at);
      next.action();
      await flush();
    }
    this.time = end;
  }

  next(end) {
    let first;
    for (const task of this.tasks) {
      if (task.at <= end && (!first || task.at < first.at)) first = task;
    }
    return first;
  }
}

export class MemoryStorage {
  items = new Map();
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, value) { this.items.set(key, value); }
  removeItem(key) { this.items.delete(key); }
}

/** Sockets that do nothing of themselves. */
export class World {
  clock = new Clock();
  storage = new MemoryStorage();
  sockets = [];
  page = Object.assign(new EventTarget(), { document: new EventTarget() });
  events = [];
  random = 1 - Number.EPSILON;

  connect(options = {}) {
    const world = this;
    class Socket {
      readyState = 0;
      sent = [];
      constructor(url) {
        this.url = url;
        world.sockets.push(this);
      }
      send(text) { this.sent.push(JSON.parse(text)); }
      close(code) {
        this.readyState = 2;
        this.closedWith = code ?? 1005;
      }
      open() {
        this.readyState = 1;
        this.onopen({});
        return this;
      }
      say(...frames) {
        frames.forEach((frame) => this.onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) }));
        return this;
      }
      end(code = 1006) {
        this.readyState = 3;
        this.onclose({ code, reason: "" });
      }
    }
    const on = Object.fromEntries(["message", "gap", "session", "resumed", "state", "error"].map((type) =>
      [type, (event) => { this.events.push([type, event]); }]));
    this.client = connect("ws://test/rooms", {
      WebSocket: Socket, storage: this.storage, random: () => this.random, now: () => this.clock.time, page: this.page,
      setTimeout: (action, delay) => this.clock.set(action, delay), clearTimeout: (task) => this.clock.clear(task), ...options, on: { ...on, ...options.on },
    });
    return this.client;
  }

  get socket() { return this.sockets.at(-1); }
  get stored() { return JSON.parse([...this.storage.items.values()][0]); }
  of(type) { return this.events.filter(([name]) => name === type).map(([, event]) => event); }

  /** A session that is open, in the topic "room" behind position "0". */
  open(options) {
    this.connect(options);
    this.socket.open().say({ type: "session", id: "n1", token: "t1", window: 120 }, { type: "joined", topic: "room", at: "0" });
    return this.client;
  }
}
