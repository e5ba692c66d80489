import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { billingEmail, emailPreferences, emailResult, registration } from '@/api/account';
import { acknowledgement } from '@/api/decode';
import { emailChange } from '@/api/email-change';
import { routes } from '@/lib/paths';
import { press, type Scenario, testMalformedResponses, tryLater } from '../testing';
import {
  loadFailure,
  registrationResponse,
  showBillingEmailCall,
  showEmailChangeCall,
  showPreferencesCall,
  showRegistrationCall,
  showUndoCall,
  signedIn,
  visitor,
} from './testing';

// The screens of links in emails and of passwords, with calls that the specification does not name.

async function typeNewPassword() {
  await userEvent.type(await screen.findByLabelText('New password'), 'Tide-And-Time-7');
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'Tide-And-Time-7');
}

const scenarios: Scenario[] = [
  {
    name: 'confirmation of a registration',
    entry: { pathname: routes.confirmRegistration, search: '?token=SECRET' },
    calls: { ...visitor, ...registrationResponse },
    failures: loadFailure(showRegistrationCall),
    actions: {
      'POST /vc-admin/auth/verify/confirm': {
        act: async () => {
          await press('Yes, this is me');
          await userEvent.type(
            await screen.findByLabelText('Password chosen at registration'),
            'Tide-And-Time-7',
          );
          await press('Confirm');
        },
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
      'POST /vc-admin/auth/verify/reject': {
        act: () => press('I did not register'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a registration with another name',
    entry: { pathname: routes.confirmRegistration, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showRegistrationCall]: {
        body: { org: 'Harbour', email: 'mara@harbour.example', replaced: false, taken: ['org'] },
        decoder: registration,
      },
    },
    failures: loadFailure(showRegistrationCall),
    actions: {
      'POST /vc-admin/auth/verify/confirm': {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Organization'), ' Sydney');
          await userEvent.type(
            screen.getByLabelText('Password chosen at registration'),
            'Tide-And-Time-7',
          );
          await press('Confirm');
        },
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a billing email',
    entry: { pathname: routes.confirmBillingEmail, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showBillingEmailCall]: {
        body: { org: 'Harbour', email: 'bills@harbour.example' },
        decoder: billingEmail,
      },
    },
    failures: loadFailure(showBillingEmailCall),
    actions: {
      'POST /vc-admin/auth/billing-email/confirm': {
        act: () => press('Confirm this address'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a new email',
    entry: { pathname: routes.confirmEmail, search: '?token=SECRET' },
    calls: {
      ...signedIn({}),
      [showEmailChangeCall]: {
        body: { email: 'new@harbour.example', account: 'm…@harbour.example', signedIn: true },
        decoder: emailChange,
      },
    },
    failures: loadFailure(showEmailChangeCall),
    actions: {
      'POST /vc-admin/auth/email/confirm': {
        act: () => press('Confirm this address'),
        response: { body: { email: 'new@harbour.example' }, decoder: emailResult },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'undo of a change',
    entry: { pathname: routes.undo, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showUndoCall]: { body: { email: 'mara@harbour.example' }, decoder: emailResult },
    },
    failures: loadFailure(showUndoCall),
    actions: {
      'POST /vc-admin/auth/undo/confirm': {
        act: async () => {
          await typeNewPassword();
          await press('Undo and change password');
        },
        response: { body: { email: 'mara@harbour.example' }, decoder: emailResult },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'email preferences',
    entry: { pathname: routes.emailPreferences, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showPreferencesCall]: {
        body: {
          org: 'Harbour',
          email: 'bills@harbour.example',
          notices: [{ kind: 'card_expires', declined: false }],
        },
        decoder: emailPreferences,
      },
    },
    failures: loadFailure(showPreferencesCall),
    actions: {
      'POST /vc-admin/auth/emails/edit': {
        act: () => press('Save'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'registration success',
    entry: { pathname: routes.registered, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/verify/resend': {
        act: () => press('Send the email again'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'forgotten password',
    entry: { pathname: routes.forgot, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/password/forgot': {
        act: () => press('Send the link'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'new password',
    entry: `${routes.reset}?token=SECRET`,
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/password/reset': {
        act: async () => {
          await typeNewPassword();
          await press('Change password');
        },
        response: { body: { email: 'mara@harbour.example' }, decoder: emailResult },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
