/**
 * Whether the query parameter `debug` turns the plans page on: it has to be present (null is
 * absent, as URLSearchParams.get has it) with any value but "false" or "0". A bare ?debug is on.
 */
export function debugOn(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}
