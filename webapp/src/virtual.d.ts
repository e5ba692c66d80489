declare module 'virtual:countries' {
  /** The alpha-2 code of every country, in no particular order. */
  export const countryCodes: string[];
  /** Functions that load the names of a country's regions, for the countries in which the region is chosen from a list. */
  export const regions: Record<string, (() => Promise<{ default: string[] }>) | undefined>;
}
declare module 'virtual:state-codes' {
  /** The postal codes of states by country and name, from domain/account/data. */
  const stateCodes: Record<string, Record<string, string> | undefined>;
  export default stateCodes;
}
declare module 'virtual:time-zones' {
  /** Time zones by country, and by country and state in lower case, from domain/timezone/data. */
  const timeZones: Record<string, string>;
  export default timeZones;
}
declare module 'virtual:currency-flags' {
  /** The folder of the pictures, `{folder}/{code}.png`. Its name contains a hash of them. */
  export const folder: string;
  /** The lower-case codes that have a picture, separated by blanks. */
  export const codes: string;
}
