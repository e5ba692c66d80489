import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { guardHistory } from '@/lib/guard-history';
import { routes } from '@/lib/paths';
import { useConfigStore } from '@/modules/config/config-store';
import { useSessionStore } from '@/modules/session/session-store';
import { deferred } from '@/testing/deferred';
import { errorResponse, serveConfig, serveVisitor } from '@/testing/handlers';
import RegisteredScreen from './RegisteredScreen';
import RegistrationScreen from './RegistrationScreen';
import {
  clickSubmit,
  fillForm,
  formPath,
  openRegistrationForm,
  serveSignUp,
  signUpResponse,
} from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a sign-up', () => {
  it('opens the next screen with its state in a browser without storage that refuses replaceState', async () => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(refuse);
    window.history.pushState(null, '', formPath);
    const originalReplaceState = history.replaceState;
    onTestFinished(() => {
      history.replaceState = originalReplaceState;
      history.replaceState(null, '', '/vc-admin/diy/plans');
    });
    history.replaceState = refuse;
    guardHistory();
    const loadURL = vi.spyOn(location, 'replace').mockImplementation(() => {});
    serveConfig();
    serveVisitor();
    serveSignUp(signUpResponse);
    render(
      <BrowserRouter>
        <Routes>
          <Route path={routes.regform} element={<RegistrationScreen />} />
          <Route path={routes.registered} element={<RegisteredScreen />} />
        </Routes>
      </BrowserRouter>,
    );
    await act(() => useConfigStore.getState().load());
    await act(() => useSessionStore.getState().refresh());
    await screen.findByLabelText('First name');
    await fillForm();
    await clickSubmit();

    expect(await screen.findByText('Registration Success!')).toBeVisible();
    expect(screen.getByText('mara@harbour.example')).toBeVisible();
    expect(loadURL).not.toHaveBeenCalled();
  });

  it('sends the form with the chosen plan and opens the next screen', async () => {
    const location = await openRegistrationForm();
    const requests = serveSignUp(signUpResponse);
    await fillForm();
    await clickSubmit();
    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/registered?debug=true'));
    expect(location.state).toEqual({
      email: 'mara@harbour.example',
      name: 'Mara',
      sentAt: expect.any(Number),
      choice: { product: 'professional', interval: 'yearly', currency: 'AUD' },
      form: {
        draft: expect.objectContaining({ email: 'Mara@Harbour.Example' }),
        search: '?product=professional&interval=yearly&currency=AUD&debug=true',
      },
    });
    expect(requests).toEqual([
      {
        search: '?debug=true',
        body: {
          firstName: 'Mara',
          lastName: 'Lindqvist',
          org: 'Harbour Physiotherapy',
          email: 'mara@harbour.example',
          password: 'Tide-And-Time-7',
          contact: '+61 2 5550 0142',
          billing_address: {
            line1: '12 Harbour Street',
            line2: '',
            country: 'AU',
            state: 'New South Wales',
            postal_code: '2000',
            city: 'Sydney',
          },
          metadata: { currency: 'AUD' },
          product: 'professional',
          interval: 'yearly',
        },
      },
    ]);
  });

  it('sends no plan to a server without the capability plan_choice', async () => {
    await openRegistrationForm(formPath, { provider: { kind: 'fake' } });
    const requests = serveSignUp(signUpResponse);
    await fillForm();
    await clickSubmit();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ metadata: { currency: 'AUD' } });
    expect(requests[0]?.body).not.toHaveProperty('product');
    expect(requests[0]?.body).not.toHaveProperty('interval');
  });

  it('sends no debug parameter when the URL has none', async () => {
    const location = await openRegistrationForm(
      '/vc-admin/diy/regform?product=standard&interval=monthly&currency=USD',
    );
    const requests = serveSignUp(signUpResponse);
    await fillForm();
    await clickSubmit();
    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/registered'));
    expect(requests[0]?.search).toBe('');
  });

  it.each([
    [
      'no plan for an unknown product',
      'product=gold&interval=yearly&currency=eur',
      { metadata: { currency: 'EUR' } },
    ],
    [
      'no plan for an unknown interval',
      'product=standard&interval=weekly&currency=AUD',
      { metadata: { currency: 'AUD' } },
    ],
    [
      'the default currency for an unknown one',
      'product=standard&interval=yearly&currency=JPY',
      { metadata: { currency: 'AUD' }, product: 'standard', interval: 'yearly' },
    ],
  ])('sends %s (%s)', async (_, query, choice) => {
    await openRegistrationForm(`/vc-admin/diy/regform?${query}`);
    const requests = serveSignUp(signUpResponse);
    await fillForm();
    await clickSubmit();
    await waitFor(() => expect(requests).toHaveLength(1));
    const choices = requests.map(({ body }) => {
      const { metadata, product, interval } = body as Record<string, unknown>;
      return { metadata, product, interval };
    });
    expect(choices).toEqual([choice]);
  });

  it("shows 'Signing up...' and sends no second request until the response arrives", async () => {
    await openRegistrationForm();
    const { promise, resolve } = deferred();
    const requests = serveSignUp(async () => {
      await promise;
      return signUpResponse();
    });
    await fillForm();
    await clickSubmit();
    const button = await screen.findByRole('button', { name: 'Signing up...' });
    await userEvent.click(button);
    await userEvent.type(screen.getByLabelText('City'), '{Enter}');
    resolve();
    await waitFor(() => expect(screen.queryByLabelText('City')).not.toBeInTheDocument());
    expect(requests).toHaveLength(1);
  });
});

describe('a failed sign-up', () => {
  it.each([
    ['Organization', 'An organisation with this name is already registered'],
    ['Email', 'This email address is already registered'],
  ])('shows the message about a duplicate at %s until the text changes', async (label, message) => {
    await openRegistrationForm();
    serveSignUp(() => errorResponse('ERRDUPLICATE', message, 400));
    await fillForm();
    await clickSubmit();
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(message);
    expect(screen.getByLabelText(label)).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await userEvent.type(screen.getByLabelText(label), 'x');
    expect(screen.queryByText(message)).not.toBeInTheDocument();
  });

  it('links to the sign-in form and the password reset for an existing account', async () => {
    const location = await openRegistrationForm();
    serveSignUp(() =>
      errorResponse('ERRDUPLICATE', 'This email address is already registered', 400),
    );
    await fillForm();
    expect(screen.queryByRole('link', { name: 'Forgotten password?' })).not.toBeInTheDocument();
    await clickSubmit();
    expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute(
      'href',
      '/vc-admin/dash?debug=true',
    );
    await userEvent.click(screen.getByRole('link', { name: 'Forgotten password?' }));
    expect(location.path).toBe('/vc-admin/auth/forgot?debug=true');
    expect(location.state).toEqual({ email: 'mara@harbour.example' });
  });

  it("shows the server's validation messages at their fields and focuses the first one", async () => {
    await openRegistrationForm();
    const fields = { pincode: 'Invalid zipcode', firstName: 'Invalid first name' };
    serveSignUp(() => errorResponse('ERRVALIDATION', 'Please check the form', 400, fields));
    await fillForm();
    await clickSubmit();
    expect(await screen.findByText('Invalid first name')).toBeVisible();
    expect(screen.getByLabelText('Zip/Postal code')).toHaveAccessibleDescription('Invalid zipcode');
    expect(screen.getByLabelText('First name')).toHaveFocus();
  });

  it('shows a message that belongs to no field under the button', async () => {
    await openRegistrationForm();
    serveSignUp(() => errorResponse('ERRRATE', 'Too many attempts. Try again later.', 429));
    await fillForm();
    await clickSubmit();
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Too many attempts. Try again later.',
    );
    const button = screen.getByRole('button', { name: 'Submit' });
    expect(button).toBeEnabled();
    expect(button.compareDocumentPosition(screen.getByRole('alert'))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });

  it('shows the HTTP status text when the response has no message', async () => {
    await openRegistrationForm();
    serveSignUp(() => new HttpResponse(null, { status: 502, statusText: 'Bad Gateway' }));
    await fillForm();
    await clickSubmit();
    expect(await screen.findByRole('alert')).toHaveTextContent('Bad Gateway');
  });

  it('can be sent again after a network error', async () => {
    const location = await openRegistrationForm();
    let respond = () => HttpResponse.error() as Response;
    serveSignUp(() => respond());
    await fillForm();
    await clickSubmit();
    expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
    respond = signUpResponse;
    await clickSubmit();
    await waitFor(() => expect(location.path).toMatch(/registered/));
  });
});
