/**
 * Returns the value that the table has for the key. Keys of responses, such as a status or a brand, may also be names
 * that every object inherits, such as "constructor".
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
