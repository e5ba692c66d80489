// Measures how long bin/diy takes from being started to having served the plans page.
import { startServer } from './server.mjs';

const starts = 10;

async function firstPage() {
  const began = performance.now();
  const server = await startServer();
  const answer = await fetch(`${server.origin}/vc-admin/diy/plans`);
  await answer.text();
  const took = performance.now() - began;
  await server.stop();
  if (!answer.ok) throw new Error(`the plans page answered ${answer.status}`);
  return took;
}

const times = [];
for (let i = 0; i < starts; i++) times.push(await firstPage());
times.sort((a, b) => a - b);
const ms = (n) => `${n.toFixed(0)} ms`;
process.stdout.write(`median ${ms(times[starts / 2])}, slowest ${ms(times.at(-1))} (held to 300 ms)\n`);
