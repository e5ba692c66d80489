// Measures how long bin/diy takes from being started to having served the plans page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const starts = 10;

/** The address the server logs when it listens. */
async function listening(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const entry = JSON.parse(line);
    if (entry.msg === 'listening') return entry.addr;
  }
  throw new Error('the server ended before it listened');
}

async function firstPage() {
  const data = await mkdtemp(join(tmpdir(), 'diy-start-'));
  const began = performance.now();
  const server = spawn('bin/diy', ['serve'], {
    env: { DIY_ADDR: '127.0.0.1:0', DIY_DATABASE_URL: `sqlite:${join(data, 'diy.db')}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const answer = await fetch(`http://${await listening(server)}/vc-admin/diy/plans`);
  await answer.text();
  const took = performance.now() - began;
  server.kill();
  await once(server, 'exit');
  await rm(data, { recursive: true });
  if (!answer.ok) throw new Error(`the plans page answered ${answer.status}`);
  return took;
}

const times = [];
for (let i = 0; i < starts; i++) times.push(await firstPage());
times.sort((a, b) => a - b);
const ms = (n) => `${n.toFixed(0)} ms`;
process.stdout.write(`median ${ms(times[starts / 2])}, slowest ${ms(times.at(-1))} (held to 300 ms)\n`);
