/** Returns the tel: URL of a number that may contain spaces and brackets. */
export const phoneUrl = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;
