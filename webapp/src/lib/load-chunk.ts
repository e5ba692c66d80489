import { withTimeLimit } from './time-limit';

/** Timeout of a screen's script in milliseconds, as specified. */
const chunkTimeout = 120_000;

/** The script of a screen failed to load, for example because the network is down or a new version was deployed. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Returns a dynamically imported module; rejects with a ChunkLoadError on failure or timeout. */
export async function loadChunk<T>(chunk: Promise<T>): Promise<T> {
  try {
    return await withTimeLimit(chunk, chunkTimeout);
  } catch (cause) {
    throw new ChunkLoadError('A part of the app could not be loaded', { cause });
  }
}
