import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { acknowledgement, ignored } from '@/api/decode';
import { clickSubmit, fillForm, formPath } from '@/features/registration/testing';
import { routes } from '@/lib/paths';
import { press, query, type Scenario, testMalformedResponses, tryLater } from '../testing';
import { configCall, plansText, signedOutFailures, signInText, userCall, visitor } from './testing';

// The screens of a visitor, with every call of the specification that they send.

const scenarios: Scenario[] = [
  {
    name: 'plans for a visitor',
    entry: `${routes.plans}${query}`,
    calls: { ...visitor },
    failures: signedOutFailures(plansText),
  },
  {
    name: 'registration',
    entry: formPath,
    calls: visitor,
    failures: { [configCall]: tryLater },
    actions: {
      'POST /vc-admin/signup': {
        act: async () => {
          await screen.findByLabelText('First name');
          await fillForm();
          await clickSubmit();
        },
        response: { body: {}, decoder: acknowledgement },
        failure: { text: /^We could not find out/, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'contact',
    entry: `${routes.contact}?product=enterprise`,
    calls: { ...visitor },
    failures: { [configCall]: tryLater },
  },
  {
    name: 'sign-in form',
    entry: routes.dash,
    calls: visitor,
    failures: { [userCall]: signInText },
    actions: {
      'POST /auth/login': {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Email'), 'mara@harbour.example');
          await userEvent.type(screen.getByLabelText('Password'), 'Tide-And-Time-7');
          await press('Sign In');
        },
        response: { body: {}, decoder: ignored },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
