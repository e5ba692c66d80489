declare module 'virtual:countries' {
  /** The alpha-2 code of every country, in no order that matters. */
  export const countryCodes: string[];
  /** Loads the names of a country's regions; a country whose state is typed is not in here. */
  export const regions: Record<string, (() => Promise<{ default: string[] }>) | undefined>;
}
declare module 'virtual:currency-flags' {
  /** The folder the pictures lie in, named by their content: `{folder}/{code}.png`. */
  export const folder: string;
  /** The lower-case codes that have a picture, separated by blanks. */
  export const codes: string;
}
