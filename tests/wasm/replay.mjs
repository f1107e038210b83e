// node replay.mjs MODULE GAMES.json: replays games in WebAssembly; prints what differs, and random games a second.
import fs from "node:fs";

const [module, games] = process.argv.slice(2);
const STACK = 1 << 20, HEAP = 2 << 20, RECORD = 4 << 20, PLACE = 8 << 20;
const memory = new WebAssembly.Memory({ initial: 512 });
const table = new WebAssembly.Table({ initial: 64, element: "anyfunc" });
let heap = HEAP;
const env = {
  __linear_memory: memory,
  __indirect_function_table: table,
  __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, STACK),
  towers_alloc: (size) => { heap += (Number(size) + 63) & ~63; return heap - ((Number(size) + 63) & ~63); },
  towers_free: () => {},
  exp: Math.exp, log: Math.log, pow: Math.pow,
};
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(module)), { env });
const names = Object.keys(exports);
names.forEach((name, i) => table.set(table.length - names.length + i, exports[name]));
const place = (name) => table.length - names.length + names.indexOf(name);
const call = (name, ...values) => { heap = HEAP; return exports[name](...values.map(BigInt)); };
const put = (hex, at) => new Uint8Array(memory.buffer).set(Buffer.from(hex, "hex"), at);
const get = (at, size) => Buffer.from(memory.buffer, at, size).toString("hex");

const { rules, size, played, choices } = JSON.parse(fs.readFileSync(games));
const found = { games: 0, moves: 0, records: 0, choices: 0, other: {} };
for (const game of played) {
  put(game.first, RECORD);
  for (const action of game.actions) { call(rules, 1, RECORD, action, 0); found.moves++; }
  found.games++;
  found.records += get(RECORD, size) !== game.last;
}
for (const { player, name, record, stream, options, action } of choices) {
  put(record, RECORD); put(stream, PLACE); put(options, PLACE + 64);
  new DataView(memory.buffer).setBigInt64(PLACE + 64 + options.length / 2 - 8, BigInt(place(rules)), true);
  found.choices++;
  if (call(name, RECORD, PLACE, PLACE + 64) !== BigInt(action)) found.other[player] = (found.other[player] ?? 0) + 1;
}
const start = process.cpuUsage();
let count = 0, spent = 0;
for (put(played[0].first, RECORD); spent < 1e6; count++) {
  new Uint8Array(memory.buffer).copyWithin(RECORD + 65536, RECORD, RECORD + size);
  call(rules, 9, RECORD + 65536, count, 0);
  const used = process.cpuUsage(start);
  spent = used.user + used.system;
}
found.random_games_per_second = Math.round(count / (spent / 1e6));
console.log(JSON.stringify(found));
