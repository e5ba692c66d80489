import { ApiError } from '@/api';

/** The specification's message for a failure without a message of the server. */
const genericMessage = 'Please try again later!';

/** Returns the message of an error, or the fallback if the error has none. */
export const messageOf = (error: unknown, fallback: string = genericMessage): string =>
  (error instanceof Error && error.message) || fallback;

/** Returns the server's message about a failed call, or the fallback for other failures. */
export const serverMessageOf = (error: unknown, fallback: string = genericMessage): string =>
  error instanceof ApiError && error.hasServerMessage ? error.message : fallback;
