import { ApiError } from '@/api';

/** The specification's message about a response that has none, or can't be read. */
const generic = 'Please try again later!';

/** Returns the message of a failed call for the customer. */
export const messageOf = (error: unknown, fallback: string = generic): string =>
  (error instanceof Error && error.message) || fallback;

/** Returns the message that the server has sent with a failed call; the fallback for other failures. */
export const serverMessageOf = (error: unknown, fallback: string = generic): string =>
  error instanceof ApiError && error.hasServerMessage ? error.message : fallback;
