import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { errorResponse } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import RegisteredScreen from './RegisteredScreen';
import { clearDraft } from './registration-draft';
import {
  clickSubmit,
  fillForm,
  formPath,
  openRegistrationForm,
  serveSignUp,
  signUpResponse,
} from './testing';

/** Returns everything that the tab has stored. */
const storedText = () => Object.values({ ...sessionStorage }).join();

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(clearDraft); // also the draft in memory, if storage is denied

/** Unmounts the form and opens it again, as a reload or Back does. */
async function reopenForm() {
  cleanup();
  await openRegistrationForm();
}

describe('the draft of a registration', () => {
  it('restores every field except the passwords after a reload', async () => {
    await openRegistrationForm();
    const user = await fillForm();
    await user.selectOptions(screen.getByLabelText('Country'), 'NZ');
    await user.selectOptions(
      screen.getByLabelText('State/Province'),
      await screen.findByText('Otago'),
    );
    await user.type(screen.getByLabelText(/line 2/), 'Level 3');

    await reopenForm();

    for (const [label, value] of [
      ['First name', 'Mara'],
      ['Last name', 'Lindqvist'],
      ['Organization', 'Harbour Physiotherapy'],
      ['Email', 'Mara@Harbour.Example'],
      ['Password', ''],
      ['Confirm Password', ''],
      ['Country', 'NZ'],
      ['Billing address line 1', '12 Harbour Street'],
      [/line 2/, 'Level 3'],
      ['City', 'Sydney'],
      ['Zip/Postal code', '2000'],
      ['Phone no.', '+61 2 5550 0142'],
    ] as const) {
      expect(screen.getByLabelText(label), String(label)).toHaveValue(value);
    }
    await waitFor(() => expect(screen.getByLabelText('State/Province')).toHaveValue('Otago'));
  });

  it('does not store the passwords', async () => {
    await openRegistrationForm();
    await fillForm();
    expect(storedText()).toContain('Harbour Physiotherapy');
    expect(storedText()).not.toContain('Tide-And-Time-7');
    expect(storedText()).not.toContain('password');
  });

  it('is kept when the registration fails, and cleared when it succeeds', async () => {
    const location = await openRegistrationForm();
    let respond = () => errorResponse('ERRRATE', 'Too many attempts.', 429);
    serveSignUp(() => respond());
    await fillForm();
    await clickSubmit();
    await screen.findByRole('alert');
    expect(storedText()).toContain('Harbour Physiotherapy');

    respond = signUpResponse as typeof respond;
    await clickSubmit();
    await waitFor(() => expect(location.path).toMatch(/registered/));
    expect(storedText()).toBe('');
  });

  it.each(['granted', 'denied'])(
    'is restored for a correction of the email address when storage is %s',
    async (storage) => {
      if (storage === 'denied') {
        vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
          throw new DOMException('denied', 'SecurityError');
        });
      }
      const location = await openRegistrationForm();
      serveSignUp(signUpResponse);
      await fillForm();
      await clickSubmit();
      await waitFor(() => expect(location.path).toMatch(/registered/));
      const { pathname, search } = new URL(location.path, 'http://localhost');
      const { state } = location;
      expect(JSON.stringify(state)).not.toContain('Tide-And-Time-7');
      cleanup();

      const registered = renderScreen(RegisteredScreen, { pathname, search, state });
      await userEvent.click(screen.getByRole('link', { name: 'Wrong address? Correct it' }));
      cleanup();
      await openRegistrationForm(registered.path, {}, registered.state);

      expect(registered.path).toBe(formPath);
      await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus());
      expect(screen.getByLabelText('Email')).toHaveValue('Mara@Harbour.Example');
      expect(screen.getByLabelText('Organization')).toHaveValue('Harbour Physiotherapy');
      expect(screen.getByLabelText('Password')).toHaveValue('');
    },
  );

  it.each(['{', 'null', '{"firstName": 5, "password": "Secret123", "city": "Sydney"}'])(
    'is ignored where its stored values are invalid (%s)',
    async (text) => {
      sessionStorage.setItem('registrationDraft', text);
      await openRegistrationForm();
      expect(screen.getByLabelText('First name')).toHaveValue('');
      expect(screen.getByLabelText('Password')).toHaveValue('');
      expect(screen.getByLabelText('Country')).toHaveValue('AU');
    },
  );

  it('does not prevent a registration when the browser denies storage', async () => {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const location = await openRegistrationForm();
    serveSignUp(signUpResponse);
    await fillForm();
    await clickSubmit();
    await waitFor(() => expect(location.path).toMatch(/registered/));
  });
});
