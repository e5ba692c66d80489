import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** File types worth compressing, from the size of one network packet. */
const worth = /\.(js|css|svg)$/;
const smallest = 1024;

/** The file compressed at the highest level, by file extension. */
export async function twins(content: Buffer): Promise<Record<'.br' | '.gz', Buffer>> {
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  return {
    '.br': await brotli(content, { params: hint }),
    '.gz': await zip(content, { level: constants.Z_BEST_COMPRESSION }),
  };
}

/**
 * Writes compressed copies beside the files. Compressing once at the highest level saves time at every
 * request.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir }, bundle) {
      const files = Object.keys(bundle).filter((name) => worth.test(name));
      await Promise.all(files.map((name) => layTwins(join(dir ?? '', name))));
    },
  };
}

async function layTwins(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < smallest) return;
  for (const [ending, twin] of Object.entries(await twins(content))) {
    await writeFile(path + ending, twin);
  }
}
