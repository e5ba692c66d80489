import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { acknowledgement } from '@/api/decode';
import { userAccount } from '@/api/user-account';
import { routes } from '@/lib/paths';
import {
  type Call,
  press,
  type ServedResponse,
  testMalformedResponses,
  tryLater,
} from '../testing';
import { loadFailure, periodEnd, signedIn } from './testing';

// The screen "Your account", whose calls the specification does not name.

const accountCall: Call = 'GET /vc-admin/user/account';

/** Returns the response with the user's account and this pending email. */
const accountResponse = (
  newEmail: { email: string; expiresAt: string } | null,
): ServedResponse => ({
  body: {
    firstName: 'Mara',
    lastName: 'Lindqvist',
    phone: '+61 2 5550 0142',
    email: 'mara@harbour.example',
    newEmail,
    twoStep: null,
    passkeys: [],
    sessions: [
      {
        id: 'ses_1',
        device: 'Chrome on Windows',
        createdAt: periodEnd,
        lastUsedAt: periodEnd,
        current: true,
      },
    ],
  },
  decoder: userAccount,
});

testMalformedResponses({
  name: 'change of the email',
  entry: routes.account,
  calls: { ...signedIn({}), [accountCall]: accountResponse(null) },
  failures: loadFailure(accountCall),
  actions: {
    'POST /vc-admin/user/email': {
      act: async () => {
        await userEvent.type(await screen.findByLabelText('New email'), 'new@harbour.example');
        await press('Change email');
      },
      response: { body: {}, decoder: acknowledgement },
      failure: { ...tryLater, prefersServerMessage: true },
    },
  },
});

testMalformedResponses({
  name: 'pending change of the email',
  entry: routes.account,
  calls: {
    ...signedIn({}),
    [accountCall]: accountResponse({ email: 'new@harbour.example', expiresAt: periodEnd }),
  },
  failures: loadFailure(accountCall),
  actions: {
    'POST /vc-admin/user/email/cancel': {
      act: () => press('Cancel the change to new@harbour.example'),
      response: { body: {}, decoder: acknowledgement },
      failure: { ...tryLater, prefersServerMessage: true },
    },
  },
});
