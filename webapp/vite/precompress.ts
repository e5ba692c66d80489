import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Matches the names of the files that are compressed. */
const compressiblePattern = /\.(html|js|css|svg)$/;
/** The minimum size of compressed files. Smaller files fit into one network packet. */
const minSize = 1024;

/** Returns the content compressed at the highest level, by file extension. */
export async function compressedVersions(content: Buffer): Promise<Record<'.br' | '.gz', Buffer>> {
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  return {
    '.br': await brotliAsync(content, { params: hint }),
    '.gz': await gzipAsync(content, { level: constants.Z_BEST_COMPRESSION }),
  };
}

/** Writes compressed copies beside the files, so that the server does not compress them for each request. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir }, bundle) {
      const files = Object.keys(bundle).filter((name) => compressiblePattern.test(name));
      await Promise.all(files.map((name) => writeCompressed(join(dir ?? '', name))));
    },
  };
}

async function writeCompressed(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < minSize) return;
  for (const [extension, compressed] of Object.entries(await compressedVersions(content))) {
    await writeFile(path + extension, compressed);
  }
}
