import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../main/resources/META-INF/resources/sluice/sluice-client.js";
import { Clock, flush, MemoryStorage, randomOf } from "./world.mjs";

const SEEDS = Number(process.env.SLUICE_SEEDS ?? 30);
const TOPICS = ["red", "blue"];

/** The server's side of docs/protocol.md, which loses, delays, repeats and forgets by a seed, and checks what the client names. */
class Server {
  topics = new Map(TOPICS.map((topic) => [topic, { first: 1, last: 0 }]));
  sessions = [];
  forgotten = new Set();
  connection = null;
  tokens = 0;
  direct = 0; // what is sent to one session has a number of its own, too, as numbers may be given again

  constructor(clock, random) {
    Object.assign(this, { clock, random, calm: false });
  }

  chance(probability) {
    return !this.calm && this.random() < probability;
  }

  accept(socket) {
    const connection = { socket, page: socket.page, inFlight: 0, first: true, open: true, halfOpen: false, session: null };
    socket.connection = connection;
    this.later(connection, () => {
      if (this.chance(0.3)) return this.cut(connection, 1006);
      socket.readyState = 1;
      socket.onopen({});
    });
  }

  /** Frames of a connection arrive in order, after a random time, or not at all. */
  later(connection, action) {
    connection.inFlight = Math.max(connection.inFlight, this.clock.time + this.random() * 120);
    this.clock.set(() => {
      if (connection.open && !connection.halfOpen && connection.page.alive) action();
    }, connection.inFlight - this.clock.time);
  }

  say(connection, frame, arrived = () => {}) {
    this.later(connection, () => {
      arrived();
      connection.socket.onmessage({ data: JSON.stringify(frame) });
    });
  }

  cut(connection, code) {
    if (!connection.open) return;
    connection.open = false;
    if (connection.session?.connection === connection) connection.session.connection = null;
    const { socket, page } = connection;
    this.clock.set(() => {
      if (!page.alive || connection.halfOpen) return;
      socket.readyState = 3;
      socket.onclose({ code, reason: "" });
    }, this.random() * 50);
  }

  hear(connection, frame) {
    if (!connection.open) return;
    if (connection.first) {
      connection.first = false;
      assert.equal(frame.type, "resume");
      this.resume(connection, frame);
      return;
    }
    const { session } = connection;
    assert.ok(session, "a frame before the greeting");
    session.previous = undefined;
    session.lost = false;
    assert.equal(frame.type, "ack");
    assert.ok(frame.seq >= session.acknowledged, "an acknowledgement fell");
    assert.ok(frame.seq <= session.arrived, `acknowledged ${frame.seq}, though only ${session.arrived} has arrived`);
    session.acknowledged = frame.seq;
    session.direct = session.direct.filter((kept) => kept.seq > frame.seq);
  }

  resume(connection, { token, at, seq }) {
    if (this.chance(0.15)) {
      this.say(connection, { type: "goodbye", reconnect: [0, 2] });
      this.later(connection, () => this.cut(connection, 1001));
      return;
    }
    const session = this.sessions.find((known) => token !== undefined && [known.token, known.previous].includes(token));
    if (!session || this.chance(0.05)) {
      assert.ok(token === undefined || session || this.forgotten.has(token), `named ${token}, which is worthless`);
      this.begin(connection, token !== undefined && (session ? this.forget(session) : "expired"));
      return;
    }
    assert.ok(seq <= session.arrived, `named ${seq}, though only ${session.arrived} has arrived`);
    if (session.connection) this.cut(session.connection, 4409);
    session.previous = token;
    session.token = `t${++this.tokens}`;
    this.attach(connection, session);
    const frames = [];
    const recovered = {};
    for (const [name, topic] of this.topics) {
      const position = (at[name] === undefined) ? session.joined.get(name) : Number(at[name].split(".")[0]);
      assert.ok(position <= Math.max(session.reached.get(name), session.joined.get(name)), `named ${position} of ${name}, not received`);
      recovered[name] = position >= topic.first - 1;
      let next = position + 1;
      if (!recovered[name]) {
        next = topic.first + Math.floor(this.random() * (topic.last - topic.first + 2));
        const known = this.random() < 0.7;
        if (!known) next = topic.last + 1;
        next = Math.max(next, (session.gaps.get(name) ?? 0) + 1);
        const behind = next - 1;
        frames.push([{ type: "gap", topic: name, ...(known ? { at: `${behind}.x` } : {}) }, () => {
          session.gaps.set(name, behind); // one that has not handled it may name nothing, and is told again
          this.reach(session, name, behind);
        }]);
      }
      for (let n = next; n <= topic.last; n++) frames.push(this.message(session, name, n));
    }
    const direct = session.dropped <= seq && !session.lost;
    const repeated = session.direct.filter((kept) => kept.seq > seq || this.random() < 0.5);
    session.direct = session.direct.filter((kept) => kept.seq > seq);
    session.acknowledged = seq;
    session.last = Math.max(session.last, seq);
    session.nodeless = false;
    this.say(connection, { type: "resumed", id: "n", token: session.token, window: 120, recovered, direct });
    [...frames, ...repeated.map((kept) => this.receipt(session, kept))].forEach(([frame, arrived]) => this.say(connection, frame, arrived));
  }

  begin(connection, rejected) {
    const session = { token: `t${++this.tokens}`, number: this.sessions.length, direct: [], last: 0, arrived: 0, acknowledged: 0, dropped: 0, droppedId: 0, posted: [], gaps: new Map() };
    session.joined = new Map(TOPICS.map((topic) => [topic, this.topics.get(topic).last]));
    session.reached = new Map(TOPICS.map((topic) => [topic, 0]));
    this.sessions.push(session);
    this.attach(connection, session);
    this.say(connection, { type: "session", id: `${session.number}`, token: session.token, window: 120, ...(rejected ? { rejected } : {}) });
    for (const [topic, at] of session.joined) {
      this.say(connection, { type: "joined", topic, at: `${at}.x` }, () => this.reach(session, topic, at));
    }
  }

  forget(session) {
    this.forgotten.add(session.token).add(session.previous);
    session.token = session.previous = undefined;
    if (session.connection) this.cut(session.connection, 4409);
    return "expired";
  }

  attach(connection, session) {
    connection.session = session;
    session.connection = connection;
    this.connection = connection;
    this.latest = session;
  }

  reach(session, topic, n) {
    session.reached.set(topic, Math.max(session.reached.get(topic), n));
  }

  message(session, topic, n) {
    return [{ type: "said", topic, at: `${n}.x` }, () => this.reach(session, topic, n)];
  }

  receipt(session, { seq, id }) {
    return [{ type: "receipt", id, seq }, () => { session.arrived = Math.max(session.arrived, seq); }];
  }

  publish(name) {
    const topic = this.topics.get(name);
    topic.last++;
    const session = this.latest;
    if (session?.connection) this.say(session.connection, ...this.message(session, name, topic.last));
  }

  post() {
    const session = this.latest;
    if (!session?.token || session.nodeless) return;
    const message = { seq: ++session.last, id: ++this.direct };
    session.direct.push(message);
    session.posted.push(message.id);
    if (session.direct.length > 40) ({ seq: session.dropped, id: session.droppedId } = session.direct.shift());
    if (session.connection) this.say(session.connection, ...this.receipt(session, message));
  }

  /** The node is killed: direct messages and their numbers are lost. */
  kill() {
    const session = this.latest;
    if (!session) return;
    if (session.connection) this.cut(session.connection, 1006);
    Object.assign(session, { direct: [], last: 0, dropped: 0, lost: true, nodeless: true, droppedId: this.direct });
  }

  trim(name) {
    const topic = this.topics.get(name);
    topic.first = topic.first + Math.floor(this.random() * (topic.last - topic.first + 2));
  }
}

/** Pages of one tab, and what the application in them was told. */
class Tab {
  storage = new MemoryStorage();
  begun = new Map(TOPICS.map((topic) => [topic, new Set()]));
  handled = new Map(TOPICS.map((topic) => [topic, new Set()]));
  covered = new Map(TOPICS.map((topic) => [topic, 0]));
  receipts = new Map();
  latest = new Map();
  told = 0;
  doubles = [];

  constructor(server, delivery) {
    Object.assign(this, { server, delivery, clock: server.clock, random: server.random });
  }

  load() {
    const { server, clock, random } = this;
    if (this.page) this.page.alive = false;
    const page = this.page = { alive: true };
    this.latest.clear();
    this.here = new Set();
    class Socket {
      readyState = 0;
      page = page;
      constructor() { server.accept(this); }
      send(text) {
        const { connection } = this;
        if (!connection.halfOpen && !server.chance(0.02)) clock.set(() => server.hear(connection, JSON.parse(text)), 0);
        else server.cut(connection, 1006);
      }
      close() {
        this.readyState = 3;
        server.cut(this.connection, 1005);
      }
    }
    const alive = (action) => () => { if (page.alive) action(); };
    this.client = connect("ws://test/rooms", {
      WebSocket: Socket, storage: this.storage, delivery: this.delivery, random, now: () => clock.time, page: null,
      setTimeout: (action, delay) => clock.set(alive(action), delay), clearTimeout: (task) => clock.clear(task),
      on: {
        message: (frame) => this.handle(frame, alive),
        gap: ({ topic, at }) => this.cover(topic, (at === undefined) ? server.latest.gaps.get(topic) : Number(at.split(".")[0])),
        session: () => this.begin(),
        resumed: ({ direct }) => { if (!direct) this.told = server.latest.droppedId; },
        state: ({ state, code }) => assert.notEqual(state, "closed", `closed with ${code}`),
        error: (error) => { if (error.message !== "planned") this.failure ??= error; },
      },
    });
  }

  /** What was published before the session, the application loads anew. */
  begin() {
    for (const topic of TOPICS) this.cover(topic, this.server.latest.joined.get(topic));
  }

  cover(topic, n) {
    this.covered.set(topic, Math.max(this.covered.get(topic), n));
    this.latest.set(topic, Math.max(this.latest.get(topic) ?? 0, n));
  }

  handle(frame, alive) {
    const done = this.enter(frame);
    const fails = this.server.chance(0.05);
    if (!this.server.chance(0.3)) {
      done();
      if (fails) throw new Error("planned");
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.clock.set(alive(() => {
        done();
        if (fails) reject(new Error("planned"));
        else resolve();
      }), this.random() * 200);
    });
  }

  enter({ topic, at, seq, id }) {
    const once = this.delivery === "at-most-once";
    if (seq !== undefined) {
      if (this.here.has(id) || (once && this.receipts.has(id))) this.doubles.push(id);
      this.here.add(id);
      this.receipts.set(id, this.receipts.get(id) ?? false);
      return () => { this.receipts.set(id, true); };
    }
    const n = Number(at.split(".")[0]);
    const begun = this.begun.get(topic), latest = this.latest.get(topic) ?? 0;
    if (once && begun.has(n)) this.doubles.push(`${topic}/${n}`);
    if (n <= latest) this.failure ??= new Error(`${topic}/${n} came behind ${latest}`);
    this.latest.set(topic, n);
    for (let m = this.covered.get(topic) + 1; m < n; m++) {
      if (!begun.has(m)) this.failure ??= new Error(`${topic}/${n} came before ${m}`);
    }
    begun.add(n);
    return () => this.handled.get(topic).add(n);
  }
}

async function play(seed, delivery) {
  const random = randomOf(seed);
  const clock = new Clock();
  const server = new Server(clock, random);
  const tab = new Tab(server, delivery);
  tab.load();
  const actions = [
    [40, () => server.publish(TOPICS[Math.floor(random() * 2)])],
    [40, () => server.post()],
    [4, () => server.connection && server.cut(server.connection, [1001, 1006, 1011, 1013, 4500][Math.floor(random() * 5)])],
    [1, () => { if (server.connection) server.connection.halfOpen = true; }],
    [2, () => tab.client.reconnect()],
    [2, () => tab.load()],
    [2, () => server.kill()],
    [2, () => server.trim(TOPICS[Math.floor(random() * 2)])],
    [1, () => server.connection && server.say(server.connection, { type: "goodbye", reconnect: [0, 1] })],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  for (let step = 0; step < 400; step++) {
    let pick = random() * total;
    actions.find(([weight]) => (pick -= weight) < 0)[1]();
    await clock.run(random() < 0.05 ? 3_000 : random() * 60);
    if (tab.failure) throw tab.failure;
  }
  server.calm = true;
  await clock.run(60_000);
  for (let i = 0; i < 2; i++) {
    tab.client.reconnect();
    await clock.run(60_000);
  }
  if (tab.failure) throw tab.failure;
  return tab;
}

for (const delivery of ["at-least-once", "at-most-once"]) {
  test(`${delivery}: histories of ${SEEDS} seeds`, async () => {
    let pages = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      try {
        const tab = await play(seed, delivery);
        assert.equal(tab.client.state, "open");
        assert.deepEqual(tab.doubles, []);
        pages += tab.server.sessions.length;
        lacksNothing(tab, delivery);
      } catch (error) {
        error.message = `seed ${seed}: ${error.message}`;
        throw error;
      }
    }
    assert.ok(pages > SEEDS, "sessions were forgotten");
  });
}

function lacksNothing({ server, begun, handled, covered, receipts, told }, delivery) {
  for (const [name, { last }] of server.topics) {
    for (let n = covered.get(name) + 1; n <= last; n++) {
      assert.ok((delivery === "at-least-once" ? handled : begun).get(name).has(n), `${name}/${n} is lost`);
    }
  }
  for (const id of server.latest.posted.filter((posted) => posted > told)) {
    assert.ok(delivery === "at-least-once" ? receipts.get(id) : receipts.has(id), `direct ${id} is lost`);
  }
}
