/** Notes a failure for whoever looks into the console; people are told elsewhere, if at all. */
export function logFailure(what: string, error: unknown): void {
  console.error(`${what}:`, error);
}
