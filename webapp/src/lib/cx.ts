/** Joins the non-empty strings among the class names. */
export const cx = (...names: unknown[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');
