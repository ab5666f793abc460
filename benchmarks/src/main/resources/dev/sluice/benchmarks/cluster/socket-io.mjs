// A node of Socket.IO. Prints its port; emits as many messages as each line says, in one room, or, numbered, in each of
// as many rooms as it says. Argument: port of Redis.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { createAdapter } from "@socket.io/redis-streams-adapter";
import { Redis } from "ioredis";
import { Server } from "socket.io";

const redis = new Redis(Number(process.argv[2]), "127.0.0.1");
const http = createServer();
const io = new Server(http, { adapter: createAdapter(redis), transports: ["websocket"], connectionStateRecovery: {} });
io.on("connection", (socket) => socket.join("room" + (socket.handshake.query.room ?? "")));
const text = "0123456789abcdef".repeat(4);
let number = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const [messages, rooms] = line.split(" ").map(Number);
  for (let message = 0; message < messages; message++) {
    if (!rooms) io.to("room").emit("said", text);
    for (let room = 0; room < rooms; room++) io.to("room" + room).emit("said", String(number).padStart(8, "0") + text.slice(8));
    if (rooms) number++;
  }
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
