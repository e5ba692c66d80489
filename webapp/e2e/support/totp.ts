import { createHmac } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';

/** Returns the code that an authenticator app with this key shows at the time of the server's clock (RFC 6238). */
export async function codeOf(request: APIRequestContext, key: string): Promise<string> {
  const { now } = await (await request.get('/dev/clock')).json();
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(new Date(now).getTime() / 30_000)));
  const hash = createHmac('sha1', decodeBase32(key)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function decodeBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text.replace(/[^A-Z2-7]/g, '')]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
