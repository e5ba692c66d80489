declare module 'virtual:countries' {
  /** The alpha-2 code of every country, in no order that matters. */
  export const countryCodes: string[];
  /** Loads the names of a country's regions; a country whose state is typed is not in here. */
  export const regions: Record<string, (() => Promise<{ default: string[] }>) | undefined>;
}
