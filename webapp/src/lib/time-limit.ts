/** Returns the result of a promise, or rejects if it does not settle within this number of milliseconds. */
export async function withTimeLimit<T>(promise: Promise<T>, limit: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, limit, new Error(`timeout of ${limit}ms exceeded`));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
