import { type ComponentType, lazy } from 'react';

/** How long a screen's script may take to load, in milliseconds. */
export const chunkTimeout = 120_000;

/** A part of the app's script did not arrive: the network failed, or a newer version is out. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** A screen whose script is loaded when it is first shown. Throws a ChunkLoadError into the tree. */
export function lazyScreen(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await inTime(load()) }));
}

async function inTime<T>(chunk: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, chunkTimeout, new Error(`timeout of ${chunkTimeout}ms exceeded`));
  });
  try {
    return await Promise.race([chunk, late]);
  } catch (cause) {
    throw new ChunkLoadError('A part of the app could not be loaded', { cause });
  } finally {
    clearTimeout(timer);
  }
}
