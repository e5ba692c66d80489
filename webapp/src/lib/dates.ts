/** A date in the long format of the browser's locale: "28 November 2026". */
export function longDate(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(date);
}

/** A date in a line of figures: "21 Nov 2027". */
export function mediumDate(date: Date): string {
  const parts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(undefined, parts).format(date);
}

/** A date with the time of day, for deadlines: "28 November 2026 at 10:30 am". */
export function longDateTime(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' }).format(date);
}

/** The same for Unix seconds, as in responses. */
export function longDateOf(seconds: number): string {
  return longDate(new Date(seconds * 1000));
}
