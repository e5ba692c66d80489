import { aQuote } from '@/testing/invoice-fixtures';

/** The calls of the API; those that the components send respond with example data instead of reaching the server. */
export * from '../../src/api';
export const quotePrice = async () => aQuote();
export const resendVerification = async () => {};
export const resendBillingEmail = async () => {};
export const endPlan = async () => {};
export const signIn = async () => {};
