/** Timeout of a screen's script in milliseconds. */
const chunkTimeout = 120_000;

/** Reports that the script of a screen failed to load: the network is down, or a new version was deployed. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Returns a dynamically imported module; rejects with a ChunkLoadError on failure or timeout. */
export async function loadChunk<T>(chunk: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, chunkTimeout, new Error(`timeout of ${chunkTimeout}ms exceeded`));
  });
  try {
    return await Promise.race([chunk, timeout]);
  } catch (cause) {
    throw new ChunkLoadError('A part of the app could not be loaded', { cause });
  } finally {
    clearTimeout(timer);
  }
}
