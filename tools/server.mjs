// Starts bin/diy on a port of its own with a database of its own, for the measurements beside.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The address the server logs when it listens. */
async function listening(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const entry = JSON.parse(line);
    if (entry.msg === 'listening') return entry.addr;
  }
  throw new Error('the server ended before it listened');
}

/** A running server: where it is, and how to end it and all it wrote. */
export async function startServer() {
  const data = await mkdtemp(join(tmpdir(), 'diy-measure-'));
  const server = spawn('bin/diy', ['serve'], {
    env: { DIY_ADDR: '127.0.0.1:0', DIY_DATABASE_URL: `sqlite:${join(data, 'diy.db')}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const origin = `http://${await listening(server)}`;
  server.stderr.resume();
  async function stop() {
    server.kill();
    await once(server, 'exit');
    await rm(data, { recursive: true });
  }
  return { origin, stop };
}
