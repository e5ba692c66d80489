declare module 'virtual:countries' {
  /** Alpha-2 code and name of every country, in the order of the names. */
  export const countries: [code: string, name: string][];
  /** Loads the names of a country's regions; a country without a list is not in here. */
  export const regions: Record<string, (() => Promise<{ default: string[] }>) | undefined>;
}
