import { aQuote } from '@/testing/invoice-fixtures';

/** Replaces src/api on this page. The calls that the components make return example data and send no request. */
export * from '../../src/api';
export const createCustomer = async () => {};
export const quotePrice = async () => aQuote();
export const resendVerification = async () => {};
export const resendBillingEmail = async () => {};
export const endPlan = async () => {};
export const signIn = async () => {};
