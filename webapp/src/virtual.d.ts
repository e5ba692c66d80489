declare module 'virtual:currency-flags' {
  /** The folder the pictures lie in, named by their content: `{folder}/{code}.png`. */
  export const folder: string;
  /** The lower-case codes that have a picture, separated by blanks. */
  export const codes: string;
}
