/** A date in the long format of the browser's locale: "28 November 2026". */
export function longDate(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(date);
}

/** A date in a line of figures: "21 Nov 2027". */
export function mediumDate(date: Date): string {
  const parts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(undefined, parts).format(date);
}

/** A day and the time of it, for a deadline: "28 November 2026 at 10:30 am". */
export function longDateTime(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' }).format(date);
}

/** The same for an instant as the wire has it, in Unix seconds. */
export function longDateOf(seconds: number): string {
  return longDate(new Date(seconds * 1000));
}
