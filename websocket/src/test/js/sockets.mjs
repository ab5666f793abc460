// A client that tells each event as a line of JSON, and does what it is told by lines.

import { createInterface } from "node:readline";
import { connect } from "../../main/resources/META-INF/resources/sluice/sluice-client.js";

const tell = (name) => (event) => console.log(JSON.stringify({ ...event, event: name }));
const client = connect(process.argv[2], {
  storage: null,
  on: Object.fromEntries(["message", "gap", "session", "resumed", "state"].map((name) => [name, tell(name)])),
});
const commands = {
  reconnect: () => client.reconnect(),
  close: () => client.close(),
};
createInterface({ input: process.stdin })
  .on("line", (line) => (commands[line] ?? (() => client.send(JSON.parse(line))))())
  .on("close", () => process.exit());
