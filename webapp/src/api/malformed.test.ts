import { HttpResponse, http } from 'msw';
import { decodeResponse, type Json, malformedBodies, unrelatedBodies } from '@/testing/malformed';
import { server } from '@/testing/server';
import examples from '../../../testdata/responses.json';
import * as api from '.';
import {
  billingEmail,
  commonPasswords,
  emailPreferences,
  emailResult,
  registration,
} from './account';
import { activityPage, listActivity } from './activity';
import { billing } from './billing';
import { details } from './billing-details';
import { addedCard, cards, editedCustomer, methodPage } from './cards';
import { config } from './config';
import { acknowledgement, type Decoder, ignored } from './decode';
import * as emails from './email-change';
import * as factors from './factors';
import { invoicePage } from './invoices';
import * as members from './members';
import { customer, organisation } from './organisation';
import { passkeyRequest, requestPasskey, signInWithPasskey } from './passkeys';
import * as privacy from './privacy';
import { priceQuote } from './quote';
import { subscription, subscriptions } from './subscription';
import { userDetailResponse } from './user';
import { userAccount } from './user-account';

const choice = { priceId: 'standard_yearly', interval: 'yearly', currency: 'AUD' } as const;
const credentials = { username: 'mara@harbour.example', password: 'Tide-And-Time-7' };

/** Every call with a JSON response, and the decoder of the response. */
const calls: [path: string, decoder: Decoder<unknown>, call: () => Promise<unknown>][] = [
  ['/vc-admin/diy/config.json', config, api.getConfig],
  ['/vc-admin/user/detail', userDetailResponse, api.getUserDetail],
  ['/vc-admin/org/detail/1', organisation, () => api.getOrganisation('1')],
  ['/vc-admin/org/customer', customer, api.getCustomer],
  ['/vc-admin/org/customer', customer, api.getCustomerWithCard],
  ['/auth/login', ignored, () => api.signIn(credentials)],
  ['/vc-admin/auth/logout', ignored, api.signOut],
  ['/vc-admin/signup', acknowledgement, () => api.signUp({} as api.Registration, false)],
  ['/vc-admin/user-diy/new-customer', ignored, api.createCustomer],
  ['/vc-admin/user-diy/subscribe', subscription, () => api.subscribe(choice, false)],
  ['/vc-admin/org/subscription/update', subscription, () => api.changePlan(choice, false)],
  ['/vc-admin/org/subscription/list', subscriptions, () => api.listSubscriptions('canceled')],
  ['/vc-admin/org/customer/cards', cards, api.listCards],
  ['/vc-admin/org/customer/edit', editedCustomer, () => api.setDefaultCard('pm_1')],
  ['/vc-admin/org/customer/cards/del', acknowledgement, () => api.deleteCard('pm_1')],
  ['/vc-admin/org/customer/cards/add', addedCard, () => api.addCard('pm_1')],
  // Calls that the specification does not name:
  ['/vc-admin/org/customer/cards/page', methodPage, api.setUpMethod],
  ['/vc-admin/org/subscription/quote', priceQuote, () => api.quotePrice(choice)],
  ['/vc-admin/org/subscription/pay', subscription, () => api.payOpenPayment({ setup: true })],
  ['/vc-admin/org/subscription/pending/cancel', subscription, api.cancelPendingChange],
  ['/vc-admin/org/subscription/scheduled/cancel', subscription, api.cancelScheduledChange],
  ['/vc-admin/org/subscription/cancel', subscription, () => api.endPlan()],
  ['/vc-admin/org/subscription/resume', subscription, api.resumePlan],
  ['/vc-admin/org/billing', billing, api.getBilling],
  ['/vc-admin/org/billing/details', details, api.getBillingDetails],
  ['/vc-admin/org/billing/edit', details, () => api.editBillingDetails({})],
  ['/vc-admin/org/invoices/list', invoicePage, () => api.listInvoices()],
  ['/vc-admin/org/invoices/in_1/transfer', acknowledgement, () => api.reportTransfer('in_1')],
  ['/vc-admin/diy/common-passwords.json', commonPasswords, api.listCommonPasswords],
  ['/vc-admin/user/account', userAccount, api.getUserAccount],
  [
    '/vc-admin/user/edit',
    acknowledgement,
    () => api.editProfile({ firstName: '', lastName: '', phone: '' }),
  ],
  ['/vc-admin/user/password', acknowledgement, () => api.changePassword('', '', '')],
  ['/vc-admin/user/email', acknowledgement, () => emails.requestEmailChange('')],
  ['/vc-admin/user/email/cancel', acknowledgement, emails.cancelEmailChange],
  ['/vc-admin/user/sessions/end', acknowledgement, () => api.endSession('1')],
  ['/vc-admin/user/sessions/end', acknowledgement, api.endOtherSessions],
  ['/vc-admin/user/two-step/start', factors.twoStepSetup, () => factors.startTwoStep(false)],
  ['/vc-admin/user/two-step/confirm', ignored, () => factors.confirmTwoStep('', '')],
  ['/vc-admin/user/two-step/off', ignored, factors.turnOffTwoStep],
  ['/vc-admin/user/passkeys/options', passkeyRequest, factors.startPasskey],
  ['/vc-admin/user/passkeys/add', ignored, () => factors.addPasskey('', {}, '')],
  ['/vc-admin/user/passkeys/edit', ignored, () => factors.renamePasskey('1', '')],
  ['/vc-admin/user/passkeys/del', ignored, () => factors.removePasskey('1')],
  ['/vc-admin/org/activity', activityPage, listActivity],
  ['/vc-admin/org/privacy', privacy.privacy, privacy.showPrivacy],
  [
    '/vc-admin/org/privacy/erasure/request',
    privacy.privacy,
    () => privacy.requestErasure('Harbour'),
  ],
  ['/vc-admin/org/privacy/erasure/withdraw', privacy.privacy, privacy.withdrawErasure],
  ['/vc-admin/org/members', members.members, members.listMembers],
  ['/vc-admin/org/members/invite', ignored, () => members.inviteMember('', 'member')],
  ['/vc-admin/org/members/resend', ignored, () => members.resendInvitation('')],
  ['/vc-admin/org/members/revoke', ignored, () => members.revokeInvitation('')],
  ['/vc-admin/org/members/edit', ignored, () => members.changeRole('1', 'member')],
  ['/vc-admin/org/members/del', ignored, () => members.removeMember('1')],
  ['/vc-admin/org/members/leave', members.departure, members.leaveOrganisation],
  ['/vc-admin/user/organisation', ignored, () => members.switchOrganisation('1')],
  ['/vc-admin/auth/invitation/show', members.linkedInvitation, () => members.showInvitation('')],
  ['/vc-admin/auth/invitation/accept', ignored, () => members.acceptInvitation('')],
  ['/vc-admin/auth/passkey/options', passkeyRequest, requestPasskey],
  ['/vc-admin/auth/passkey', ignored, () => signInWithPasskey('', {})],
  ['/vc-admin/auth/verify/resend', acknowledgement, () => api.resendVerification('')],
  ['/vc-admin/auth/verify/show', registration, () => api.showRegistration('')],
  ['/vc-admin/auth/verify/confirm', acknowledgement, () => api.confirmRegistration('', '')],
  ['/vc-admin/auth/verify/reject', acknowledgement, () => api.rejectRegistration('')],
  ['/vc-admin/auth/billing-email/show', billingEmail, () => api.showBillingEmail('')],
  ['/vc-admin/auth/billing-email/confirm', acknowledgement, () => api.confirmBillingEmail('')],
  ['/vc-admin/auth/email/show', emails.emailChange, () => emails.showEmailChange('')],
  ['/vc-admin/auth/email/confirm', emailResult, () => emails.confirmEmailChange('')],
  ['/vc-admin/auth/undo/show', emailResult, () => emails.showUndo('')],
  ['/vc-admin/auth/undo/confirm', emailResult, () => emails.undoChange('', '', '')],
  ['/vc-admin/auth/emails/show', emailPreferences, () => api.showEmailPreferences('')],
  ['/vc-admin/auth/emails/edit', acknowledgement, () => api.editEmailPreferences('', [])],
  ['/vc-admin/org/billing/email/resend', acknowledgement, api.resendBillingEmail],
  ['/vc-admin/auth/password/forgot', acknowledgement, () => api.forgotPassword('')],
  ['/vc-admin/auth/password/reset', emailResult, () => api.resetPassword('', '', '')],
];

it.each(calls)(
  '%s rejects with an ApiError a response that its decoder refuses',
  async (path, decoder, call) => {
    for (const { description, text } of unrelatedBodies) {
      const respond = () => new HttpResponse(text, { headers: { 'Content-Type': 'text/html' } });
      server.use(http.all(path, respond));
      const { isRejected, message } = decodeResponse(text, decoder);

      const outcome = await call().then(
        () => 'accepted',
        (error) => error instanceof api.ApiError && error.message,
      );

      expect(outcome, description).toBe(isRejected ? message : 'accepted');
    }
  },
);

/** Returns the response of the schema to a call, see testdata/responses.json. */
function exampleOf(path: string): Json {
  const isCall = ([call]: [string, Json]) => {
    const pattern = call.replace(/^\w+ /, '').replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  };
  return Object.entries(examples).find(isCall)?.[1] ?? {};
}

/** The values of plan capabilities are texts or booleans. */
const unionPath = /\.capabilities\.\w+$/;

/** Returns the paths of the parts that are present and have another type than the same part of the example. */
function differentTypes(decoded: unknown, example: unknown, path = ''): string[] {
  if (decoded == null || example == null || unionPath.test(path)) return [];
  if (typeNameOf(decoded) !== typeNameOf(example)) return [path];
  if (typeof decoded !== 'object') return [];
  return Object.entries(decoded).flatMap(([name, part]) => {
    const exampleName = Array.isArray(example) ? '0' : name;
    if (!Object.hasOwn(example, exampleName)) return [];
    const examplePart = (example as Record<string, unknown>)[exampleName];
    return differentTypes(part, examplePart, `${path}.${name}`);
  });
}

const typeNameOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

const firstCalls = calls.filter(
  ([, decoder], index) => calls.findIndex(([, other]) => other === decoder) === index,
);

it.each(firstCalls)('%s refuses a malformed part, or decodes it as absent', (path, decoder) => {
  const example = exampleOf(path);
  const decodedExample = decoder(example, '');
  for (const { description, text } of malformedBodies(example)) {
    const { isRejected, decoded } = decodeResponse(text, decoder);
    if (isRejected || decoded === '') continue;
    expect(differentTypes(JSON.parse(decoded), decodedExample), description).toEqual([]);
  }
  expect({}).not.toHaveProperty('isInherited'); // no response has changed the prototype of objects
});

it('the table of calls contains every get and post of this folder', () => {
  const modules = import.meta.glob('./*.ts', { query: '?raw', import: 'default', eager: true });
  const paths = Object.values(modules as Record<string, string>).flatMap((source) =>
    [...source.matchAll(/\b(?:get|post)\(\s*['`](\/.*?)['`$]/g)].map(([, path]) => path),
  );
  const isTested = (path = '') => calls.some(([testedPath]) => testedPath.startsWith(path));
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter((path) => !isTested(path))).toEqual([]);
});
