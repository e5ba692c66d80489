/** Converts A to Z to lower case. The full mapping would turn the Kelvin sign into a k. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Converts a to z to upper case. The full mapping would turn the dotless i into an I. */
export function asciiUpper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
