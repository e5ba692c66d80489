/** The calls of the API, one function each. They reject with an ApiError. */
export { ApiError } from './api-error';
export * from './billing';
export * from './identity';
export * from './organisation';
export * from './subscription';
export type * from './types';
