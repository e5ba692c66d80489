/**
 * The calls of the API, one function each. They decode the responses and reject with an ApiError, also when a
 * response is malformed.
 */
export {
  confirmBillingEmail,
  confirmRegistration,
  editEmailPreferences,
  forgotPassword,
  listCommonPasswords,
  rejectRegistration,
  resendVerification,
  resetPassword,
  showBillingEmail,
  showEmailPreferences,
  showRegistration,
} from './account';
export { ApiError } from './api-error';
export { cancelScheduledChange, endPlan, getBilling, resumePlan } from './billing';
export { editBillingDetails, getBillingDetails, resendBillingEmail } from './billing-details';
export {
  addCard,
  cardAuthenticationIn,
  deleteCard,
  listCards,
  setDefaultCard,
  setUpMethod,
} from './cards';
export { setOrganisation } from './client';
export { getConfig } from './config';
export { blocksCookies, cookiesAdvice, cookiesError, xsrfToken } from './cookies';
export * from './identity';
export {
  getCreditNotePdf,
  getInvoicePdf,
  invoicePages,
  listInvoices,
  reportTransfer,
} from './invoices';
export {
  createCustomer,
  defaultCardIdOf,
  defaultCardOf,
  getCustomer,
  getCustomerWithCard,
  getOrganisation,
} from './organisation';
export { priceQuoteIn, type QuoteRequest, quotePrice } from './quote';
export {
  type ChangeRequest,
  cancelPendingChange,
  changePlan,
  listSubscriptions,
  openInvoiceIn,
  type PayRequest,
  payOpenPayment,
  type SubscribeRequest,
  subscribe,
} from './subscription';
export type * from './types';
export { getUserDetail } from './user';
export {
  changePassword,
  editProfile,
  endOtherSessions,
  endSession,
  getUserAccount,
} from './user-account';
