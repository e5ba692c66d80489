/** The specification's message about a response that has none, or can't be read. */
const generic = 'Please try again later!';

/** The message of a failed call for the customer. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error && error.message) || generic;
