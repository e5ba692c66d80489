/** Logs a failure to the console. */
export function logFailure(description: string, error: unknown): void {
  console.error(`${description}:`, error);
}
