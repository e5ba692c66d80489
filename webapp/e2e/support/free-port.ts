import { createServer } from 'node:net';

/** Returns a port of the loopback interface that no server listens at. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (!address || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
