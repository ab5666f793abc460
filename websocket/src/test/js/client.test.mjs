import assert from "node:assert/strict";
import { test } from "node:test";
import { flush, World } from "./world.mjs";

const said = (at) => ({ type: "said", topic: "room", at });
const receipt = (seq) => ({ type: "receipt", seq });
const resumed = (token = "t2") => ({ type: "resumed", id: "n2", token, window: 120, recovered: { room: true }, direct: true });

test("a new session begins with a resume of nothing", () => {
  const world = new World();
  world.connect();
  assert.equal(world.client.send({ type: "early" }), false);
  world.socket.open();
  assert.deepEqual(world.socket.sent, [{ type: "resume" }]);
  world.socket.say({ type: "session", id: "n1", token: "t1", window: 120 });
  assert.deepEqual(world.of("session"), [{ id: "n1", window: 120 }]);
  assert.equal(world.client.state, "open");
  assert.equal(world.client.send({ type: "late" }), true);
  assert.throws(() => world.client.send({ type: "ack", seq: 9 }), TypeError);
  assert.throws(() => world.client.send("text"), TypeError);
});

test("a lost connection is resumed from what was received, and acknowledged at once", async () => {
  const world = new World();
  world.open();
  world.socket.say(said("5"), receipt(1), said("6"), receipt(2)).end();
  await world.clock.run(500);
  world.socket.open();
  assert.deepEqual(world.socket.sent, [{ type: "resume", token: "t1", at: { room: "6" }, seq: 2 }]);
  world.socket.say(resumed(), receipt(2), receipt(3), said("7"));
  assert.deepEqual(world.socket.sent.slice(1), [{ type: "ack", seq: 2 }]);
  assert.deepEqual(world.of("message").map((frame) => frame.seq ?? frame.at), ["5", 1, "6", 2, 3, "7"]);
  assert.equal(world.of("resumed")[0].token, undefined);
});

test("direct frames are acknowledged after 32 of them or a second", async () => {
  const world = new World();
  world.open();
  const acks = () => world.socket.sent.slice(1).map((frame) => frame.seq);
  for (let seq = 1; seq <= 31; seq++) world.socket.say(receipt(seq));
  assert.deepEqual(acks(), []);
  world.socket.say(receipt(32), receipt(33));
  assert.deepEqual(acks(), [32]);
  await world.clock.run(999);
  assert.deepEqual(acks(), [32]);
  await world.clock.run(1);
  assert.deepEqual(acks(), [32, 33]);
});

test("the back-off doubles up to 30 s, has full jitter, and begins anew after a greeting", async () => {
  const world = new World();
  world.connect();
  const delays = [];
  for (const [random, count] of [[1, 9], [0.25, 1], [0, 1]]) {
    world.random = random;
    for (let i = 0; i < count; i++) {
      world.socket.end();
      delays.push(world.of("state").at(-1).delay);
      await world.clock.run(delays.at(-1));
    }
  }
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000, 7500, 0]);
  world.random = 1;
  world.socket.open().say({ type: "session", id: "n1", token: "t1", window: 120 }).end();
  assert.equal(world.of("state").at(-1).delay, 500);
});

test("a goodbye names the time to come back", async () => {
  const world = new World();
  world.random = 0.5;
  world.open();
  world.socket.say({ type: "goodbye", reconnect: [2, 6] }, said("5")).end(1001);
  assert.equal(world.of("state").at(-1).delay, 4000);
  world.page.dispatchEvent(new Event("online"));
  await world.clock.run(3999);
  assert.equal(world.sockets.length, 1);
  await world.clock.run(1);
  assert.deepEqual(world.socket.open().sent[0].at, { room: "5" });
});

test("a goodbye in the place of a greeting, and one that makes no sense, do not end it", async () => {
  const world = new World();
  world.open();
  for (const reconnect of [[0, 0], [1, 1], [5, 1], "soon", [null, "x"], undefined, [1e9, 1e9]]) {
    world.socket.end();
    await world.clock.run(30_000);
    world.socket.open().say({ type: "goodbye", reconnect }).end(1001);
    const { state, delay } = world.of("state").at(-1);
    assert.equal(state, "waiting");
    assert.ok(delay >= 500 && delay <= 300_000, `${JSON.stringify(reconnect)}: ${delay}`);
    await world.clock.run(delay);
    assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t1", at: { room: "0" }, seq: 0 }]);
  }
});

test("a goodbye without a close is taken for a loss", async () => {
  const world = new World();
  world.open();
  world.socket.say({ type: "goodbye", reconnect: [1, 1] });
  await world.clock.run(15_000);
  assert.equal(world.client.state, "waiting");
  await world.clock.run(1_000);
  assert.equal(world.sockets.length, 2);
});

for (const [code, ends] of [[1000, true], [4409, true], [1002, true], [1008, true], [4000, true], [1001, false], [1005, false],
  [1006, false], [1011, false], [1012, false], [1013, false], [4500, false], [4408, false]]) {
  test(`a close with ${code} ${ends ? "ends" : "does not end"} it`, async () => {
    const world = new World();
    world.open();
    world.socket.end(code);
    assert.equal(world.client.state, ends ? "closed" : "waiting");
    assert.equal(world.storage.items.size, ends ? 0 : 1);
    await world.clock.run(3_600_000);
    assert.equal(world.sockets.length > 1, !ends);
    assert.equal(world.clock.tasks.size > 0, !ends);
  });
}

test("a resume that came late is said again at once, with the token that is still good", async () => {
  const world = new World();
  world.open();
  world.socket.end();
  await world.clock.run(500);
  world.socket.open().say({ type: "session", id: "n9", token: "t9", window: 120 }, said("9")).end(4408);
  await world.clock.run(0);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t1", at: { room: "0" }, seq: 0 }]);
  world.socket.end(4408);
  assert.ok(world.of("state").at(-1).delay >= 500);
});

test("a session that is rejected leaves nothing of the earlier one", async () => {
  const world = new World();
  world.open();
  world.socket.say(said("5"), receipt(1)).end();
  await world.clock.run(500);
  world.socket.open().say({ type: "session", id: "n2", token: "t2", window: 120, rejected: "expired" }, receipt(1)).end();
  await world.clock.run(500);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t2", at: {}, seq: 1 }]);
  assert.equal(world.of("message").length, 3);
  assert.equal(world.of("session").at(-1).rejected, "expired");
});

test("a resume that the server cannot read is given up for a new session, once", async () => {
  const world = new World();
  world.open();
  world.socket.end();
  await world.clock.run(500);
  world.socket.open().end(1008);
  await world.clock.run(1000);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume" }]);
  world.socket.end(1008);
  assert.equal(world.client.state, "closed");
});

test("a session without a token is begun anew", async () => {
  const world = new World();
  world.connect();
  world.socket.open().say({ type: "session", id: "n1", window: 120 }, said("5")).end();
  assert.equal(world.storage.items.size, 0);
  await world.clock.run(500);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume" }]);
});

test("what a stale socket says does not touch the connection", async () => {
  const world = new World();
  world.open();
  const stale = world.socket;
  world.client.reconnect();
  world.socket.open();
  stale.say(said("9"), { type: "goodbye", reconnect: [9, 9] }, receipt(9));
  stale.end(4409);
  stale.onopen({});
  world.socket.say(resumed(), said("1")).end();
  assert.equal(world.of("state").at(-1).delay, 500 * world.random);
  await world.clock.run(500);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t2", at: { room: "1" }, seq: 0 }]);
  assert.equal(stale.closedWith, 4410);
});

test("a handshake that fails without a close is a loss", () => {
  const world = new World();
  world.open();
  world.socket.onerror({});
  assert.equal(world.client.state, "open");
  world.client.reconnect();
  world.socket.onerror({});
  assert.equal(world.client.state, "waiting");
});

test("a connection that is never greeted is given up", async () => {
  const world = new World();
  world.open();
  world.socket.end();
  await world.clock.run(500);
  await world.clock.run(14_999);
  assert.equal(world.client.state, "connecting");
  await world.clock.run(1);
  assert.equal(world.client.state, "waiting");
});

test("the network's return, and the page's, end the wait and replace what may be dead", async () => {
  const world = new World();
  world.open();
  world.page.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(world.sockets.length, 1);
  world.page.dispatchEvent(new Event("online"));
  assert.equal(world.sockets.length, 2);
  world.socket.open().say(resumed()).end();
  world.page.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(world.sockets.length, 3);
  world.socket.open().say(resumed());
  world.page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.equal(world.sockets.length, 4);
  world.socket.open().say(resumed());
  await world.clock.run(600_000);
  assert.equal(world.sockets.length, 4);
  world.clock.time += 200_000;
  await world.clock.run(1);
  assert.equal(world.sockets.length, 5);
  world.client.close();
  world.page.dispatchEvent(new Event("online"));
  assert.equal(world.sockets.length, 5);
});

test("a page that is loaded again resumes, and one that has closed does not", () => {
  const world = new World();
  world.open();
  world.socket.say(said("5"), receipt(1), said("6"));
  world.connect();
  assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t1", at: { room: "6" }, seq: 1 }]);
  world.client.close();
  assert.equal(world.socket.closedWith, 1000);
  world.connect();
  assert.deepEqual(world.socket.open().sent, [{ type: "resume" }]);
});

test("the token is stored before the acknowledgement that makes the one before worthless", async () => {
  const world = new World();
  world.open();
  world.socket.end();
  await world.clock.run(500);
  const { socket } = world;
  let stored;
  const send = socket.send;
  socket.send = (text) => {
    stored = JSON.parse([...world.storage.items.values()][0]).token;
    send.call(socket, text);
  };
  socket.open().say(resumed("t2"));
  assert.deepEqual(socket.sent.at(-1), { type: "ack", seq: 0 });
  assert.equal(stored, "t2");
});

for (const [delivery, inHandler] of [["at-least-once", "4"], ["at-most-once", "5"]]) {
  test(`${delivery}: what is stored while a message is handled`, () => {
    const world = new World();
    const stored = [];
    const message = () => stored.push(JSON.parse([...world.storage.items.values()][0]).at.room);
    world.open({ delivery, on: { message } });
    world.socket.say(said("4"), said("5"));
    assert.equal(stored[1], inHandler);
    world.connect({ delivery });
    assert.equal(world.socket.open().sent[0].at.room, "5");
  });
}

test("a handler that fails is reported, has handled its message, and the next one follows", async () => {
  const world = new World();
  const seen = [];
  const message = (frame) => {
    seen.push(frame.at ?? frame.seq);
    if (frame.at === "5") throw new Error("away");
    return (frame.seq === 1) ? Promise.reject(new Error("late")) : undefined;
  };
  world.open({ on: { message } });
  world.socket.say(said("5"), receipt(1), said("6"), receipt(2));
  await flush();
  assert.deepEqual(seen, ["5", 1, "6", 2]);
  assert.deepEqual(world.of("error").map((error) => error.message), ["away", "late"]);
  assert.deepEqual(world.stored, { token: "t1", at: { room: "6" }, seq: 2, waiting: [] });
});

test("what was received and waits is named, handled once, and stored until it is", async () => {
  const world = new World();
  const waiting = [];
  world.open({ on: { message: (frame) => new Promise((resolve) => waiting.push({ frame, resolve })) } });
  world.socket.say(said("5"), receipt(1), receipt(2)).end();
  await world.clock.run(500);
  assert.deepEqual(world.socket.open().sent, [{ type: "resume", token: "t1", at: { room: "5" }, seq: 2 }]);
  assert.deepEqual(world.stored, { token: "t1", at: { room: "0" }, seq: 2, waiting: [receipt(1), receipt(2)] });
  world.socket.say({ ...resumed(), direct: false }, receipt(3));
  for (let i = 0; i < 4; i++) {
    assert.equal(waiting.length, i + 1);
    waiting[i].resolve();
    await flush();
  }
  assert.deepEqual(waiting.map(({ frame }) => frame.seq ?? frame.at), ["5", 1, 2, 3], "3 is new, though its number might have been given before");
  assert.deepEqual(world.stored, { token: "t2", at: { room: "5" }, seq: 3, waiting: [] });
});

test("a page that is loaded again handles what had been acknowledged and waited", async () => {
  const world = new World();
  world.open({ on: { message: () => new Promise(() => {}) } });
  world.socket.say(receipt(1), receipt(2));
  await world.clock.run(1_000);
  assert.deepEqual(world.socket.sent.at(-1), { type: "ack", seq: 2 });
  world.events.length = 0;
  world.connect();
  await flush();
  assert.deepEqual(world.of("message").map(({ seq }) => seq), [1, 2]);
  assert.equal(world.socket.open().sent[0].seq, 2);
});

test("where too many messages wait the connection is left until there is room", async () => {
  const world = new World();
  const waiting = [];
  world.open({ on: { message: () => new Promise((resolve) => waiting.push(resolve)) } });
  for (let n = 1; n <= 10_002; n++) world.socket.say(said(`${n}`));
  assert.equal(world.socket.closedWith, 4410);
  for (let n = 0; n < 5_000; n++) {
    assert.equal(world.sockets.length, 1);
    waiting[n]();
    await flush();
  }
  assert.equal(world.sockets.length, 2);
  assert.equal(world.socket.open().sent[0].at.room, "10001");
});

test("a gap sets the position, or has it forgotten, when it was told", async () => {
  const world = new World();
  const stored = [];
  world.open({ delivery: "at-most-once", on: { gap: (gap) => {
    stored.push(JSON.parse([...world.storage.items.values()][0]).at.room);
    world.events.push(["gap", gap]);
  } } });
  world.socket.say(said("5"), { type: "gap", topic: "room", at: "9" });
  assert.deepEqual(stored, ["5"]);
  world.socket.end();
  await world.clock.run(500);
  assert.equal(world.socket.open().sent[0].at.room, "9");
  world.socket.say(resumed(), { type: "gap", topic: "room" }).end();
  await world.clock.run(500);
  assert.deepEqual(world.socket.open().sent[0].at, {});
  assert.equal(world.of("gap").length, 2);
});

test("topics that the session has left are not named again", async () => {
  const world = new World();
  world.open();
  world.socket.say({ topic: "__proto__", at: "1" }, { topic: "left", at: "1" }).end();
  await world.clock.run(500);
  assert.deepEqual(Object.keys(world.socket.open().sent[0].at), ["room", "__proto__", "left"]);
  world.socket.say('{"type":"resumed","id":"n2","token":"t2","window":9,"recovered":{"room":true,"__proto__":true},"direct":true}').end();
  await world.clock.run(500);
  assert.deepEqual(Object.keys(world.socket.open().sent[0].at), ["room", "__proto__"]);
});

test("a frame that cannot be read is not passed over", async () => {
  for (const unreadable of ["{", "1", "null", "[]"]) {
    const world = new World();
    world.open();
    world.socket.say(said("5"), unreadable);
    world.socket.say(said("7"));
    await world.clock.run(500);
    assert.equal(world.socket.open().sent[0].at.room, "5");
    assert.equal(world.of("error").length, 1);
  }
});

test("where nothing can be stored, what is there is removed", () => {
  const world = new World();
  world.open({ delivery: "at-most-once" });
  world.storage.setItem = () => { throw new Error("full"); };
  world.socket.say(said("5"));
  assert.equal(world.storage.items.size, 0);
});

test("wrong options say what is wrong", () => {
  const world = new World();
  assert.throws(() => world.connect({ delivery: "exactly-once" }), /'delivery' must be one of .*exactly-once/);
  assert.throws(() => world.connect({ on: { text: () => {} } }), /'type' must be one of .*text/);
  assert.throws(() => world.connect({ WebSocket: undefined }), /WebSocket/);
});
