// SPDX-License-Identifier: GPL-2.0-only
// shares.js SECONDS: functions that use about 25 and 75 % of so much CPU time; says "ready" when they
// are compiled, and at the end what they used: {"functions_ns": {"share_25": ..., "share_75": ...}}
"use strict";

const spent = { share_25: 0, share_75: 0 };

function share_25(rounds) {
  let sum = 1;
  for (let i = 0; i < rounds; i++) sum = (sum * 31 + i) % 1000003;
  return sum;
}

function share_75(rounds) {
  let sum = 1;
  for (let i = 0; i < rounds; i++) sum = (sum * 17 + i) % 1000033;
  return sum;
}

function cpu_ns() {
  const used = process.cpuUsage();
  return (used.user + used.system) * 1000;
}

function run(name, share, rounds) {
  const start = cpu_ns();
  for (let i = 0; i < rounds; i++) share(20000);
  spent[name] += cpu_ns() - start;
}

function spend(seconds) {
  const end = cpu_ns() + seconds * 1e9;

  while (cpu_ns() < end) {
    run("share_25", share_25, 10);
    run("share_75", share_75, 30);
  }
}

spend(1);
console.log("ready");
spent.share_25 = spent.share_75 = 0;
spend(Number(process.argv[2]));
console.log(JSON.stringify({ functions_ns: spent }));
