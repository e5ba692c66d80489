import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { billingEmail, emailPreferences, passwordReset } from '@/api/account';
import { ignored } from '@/api/decode';
import { routes } from '@/lib/paths';
import { press, type Scenario, testMalformedResponses, tryLater } from '../testing';
import {
  loadFailure,
  registrationResponse,
  showCall,
  showEmailCall,
  showPreferencesCall,
  visitor,
} from './testing';

// The calls of the Go server for links in emails and for passwords, which the specification does not name.

const scenarios: Scenario[] = [
  {
    name: 'confirmation of a registration',
    entry: { pathname: routes.confirmRegistration, search: '?token=SECRET' },
    calls: { ...visitor, ...registrationResponse },
    failures: loadFailure(showCall),
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
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
      'POST /vc-admin/auth/verify/reject': {
        act: () => press('I did not register'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a billing email',
    entry: { pathname: routes.confirmBillingEmail, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showEmailCall]: {
        body: { org: 'Harbour', email: 'bills@harbour.example' },
        decoder: billingEmail,
      },
    },
    failures: loadFailure(showEmailCall),
    actions: {
      'POST /vc-admin/auth/billing-email/confirm': {
        act: () => press('Confirm this address'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
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
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
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
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
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
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
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
          await userEvent.type(await screen.findByLabelText('New password'), 'Tide-And-Time-7');
          await userEvent.type(screen.getByLabelText('Confirm new password'), 'Tide-And-Time-7');
          await press('Change password');
        },
        served: { body: { email: 'mara@harbour.example' }, decoder: passwordReset },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
