import { ApiError } from '@/api';

/** The specification's message for a failure without a message of the server. */
const genericMessage = 'Please try again later!';

/** Returns the message of an error; the fallback for an error without one. */
export const messageOf = (error: unknown, fallback: string = genericMessage): string =>
  (error instanceof Error && error.message) || fallback;

/** Returns the message that the server has sent with a failed call; the fallback for other failures. */
export const serverMessageOf = (error: unknown, fallback: string = genericMessage): string =>
  error instanceof ApiError && error.hasServerMessage ? error.message : fallback;
