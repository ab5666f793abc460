// A node of Socket.IO with one room. Prints its port; emits as many messages as each line says. Argument: port of Redis.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { createAdapter } from "@socket.io/redis-streams-adapter";
import { Redis } from "ioredis";
import { Server } from "socket.io";

const redis = new Redis(Number(process.argv[2]), "127.0.0.1");
const http = createServer();
const io = new Server(http, { adapter: createAdapter(redis), transports: ["websocket"], connectionStateRecovery: {} });
io.on("connection", (socket) => socket.join("room"));
createInterface({ input: process.stdin }).on("line", (line) => {
  for (let message = 0; message < Number(line); message++) io.to("room").emit("said", "0123456789abcdef".repeat(4));
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
