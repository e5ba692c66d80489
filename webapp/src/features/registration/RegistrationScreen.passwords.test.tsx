import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { serveCommonPasswords } from '@/testing/handlers';
import {
  clickSubmit,
  fillForm,
  openRegistrationForm,
  serveSignUp,
  signUpResponse,
} from './testing';

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

describe('on a server that refuses passwords that are easy to guess', () => {
  beforeEach(async () => {
    await openRegistrationForm(undefined, { provider: fullProvider });
    serveCommonPasswords('trustno1x');
  });

  it('says while the visitor types that the password contains a word of the form', async () => {
    await type('Organization', 'Harbour Physiotherapy');
    await type('Password', 'H4rbour20');
    const message = "Too easy to guess: contains your clinic's name.";
    expect(screen.getByText(message)).toBeVisible();

    await type('Password', '-Tide');
    expect(screen.queryByText(message)).not.toBeInTheDocument();
  });

  it('says nothing about guessing while the policy is not met', async () => {
    await type('Organization', 'Harbour Physiotherapy');
    await type('Password', 'harbour');
    expect(screen.queryByText(/Too easy to guess/)).not.toBeInTheDocument();
  });

  it('does not send a common password or one with the name, and focuses it before later fields', async () => {
    const requests = serveSignUp(signUpResponse);
    for (const [password, message] of [
      ['Trustno1x', 'This password is too common and easily guessed'],
      ['Lindqvist-77', 'Too easy to guess: contains your name.'],
    ] as const) {
      await fillForm({ Password: password, 'Confirm Password': password, 'Phone no.': '12-34' });
      await clickSubmit();

      expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
        new RegExp(`^${message}`),
      );
      expect(screen.getByLabelText('Password')).toHaveFocus();
    }
    expect(requests).toEqual([]);
  });
});

it('accepts every password that follows the policy on a server without these rules', async () => {
  await openRegistrationForm(undefined, {
    provider: { ...fullProvider, capabilities: capabilitiesWithout('password_rules') },
  });
  const requests = serveSignUp(signUpResponse);
  await fillForm({ Password: 'Harbour2024', 'Confirm Password': 'Harbour2024' });
  expect(screen.queryByText(/Too easy to guess/)).not.toBeInTheDocument();
  await clickSubmit();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
});
