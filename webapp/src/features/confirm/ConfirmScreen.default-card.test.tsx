import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { errorResponse, serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { signInAgain } from '@/testing/sign-in-again';
import {
  aLicenseWithStatus,
  changeState,
  findConfirmButton,
  listPath,
  openConfirmScreen,
  resubscriptionState,
  serveCall,
  serveLicensee,
} from './testing';

describe('the default card', () => {
  it('is loaded with the customer and shown with its badge and expiry', async () => {
    const customerRequests = serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    openConfirmScreen();

    expect(await screen.findByText('•••• 4242')).toBeVisible();
    expect(screen.getByText('Default')).toBeVisible();
    expect(screen.getByText('Expires 12/2034')).toBeVisible();
    expect(customerRequests).toContainEqual({
      expand: ['invoice_settings.default_payment_method'],
    });
  });

  it.each([
    ['', '/vc-admin/diy/cards'],
    ['?debug=true', '/vc-admin/diy/cards?debug=true'],
  ])(
    'has a button that opens the cards screen and passes the navigation state on (query "%s")',
    async (query, cardsPath) => {
      serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
      const location = openConfirmScreen(changeState, query);

      await userEvent.click(await screen.findByRole('button', { name: 'Manage card(s)' }));

      expect(location.path).toBe(cardsPath);
      expect(location.state).toEqual({ ...changeState, redirectTo: '/vc-admin/diy/confirm' });
    },
  );
});

describe('without a default card', () => {
  it('disables the confirmation and links to the cards screen', async () => {
    serveLicensee(aLicenseWithStatus('active'), null);
    const location = openConfirmScreen();

    const button = await findConfirmButton();
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('Add a payment method first.');
    await userEvent.click(button);
    expect(screen.queryByText('Please wait...')).not.toBeInTheDocument();

    await userEvent.click(screen.getByRole('link', { name: 'Add a payment method' }));
    expect(location.path).toBe('/vc-admin/diy/cards');
    expect(location.state).toEqual({ ...changeState, redirectTo: '/vc-admin/diy/confirm' });
  });

  it('disables the confirmation when the organisation has no customer at the provider', async () => {
    serveConfig();
    serveUser({ license: aLicenseWithStatus('active') }, { org: { stripeCustomerId: undefined } });
    openConfirmScreen();

    expect(await screen.findByRole('link', { name: 'Add a payment method' })).toBeVisible();
    expect(await findConfirmButton()).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('loading the confirmation', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });

  it("shows 'Please try again later!' when the card can't be loaded, and loads it with Try again", async () => {
    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    server.use(
      http.post('/vc-admin/org/customer', async ({ request }) =>
        (await request.text()).includes('expand') ? HttpResponse.error() : HttpResponse.json({}),
      ),
    );
    openConfirmScreen();
    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Confirm your plan');

    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('•••• 4242')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it('asks the user to sign in again when the session has ended, and then shows the card', async () => {
    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    server.use(
      http.post('/vc-admin/org/customer', async ({ request }) => {
        if (!(await request.text()).includes('expand')) return HttpResponse.json({});
        serveVisitor();
        return errorResponse('ERRUNAUTHENTICATED', 'Please sign in first.', 401);
      }),
    );
    openConfirmScreen(changeState, '?debug=true');
    await screen.findByRole('heading', { name: 'Your session has ended' });

    await signInAgain(() => serveLicensee(aLicenseWithStatus('active'), aCard('4242')));
    expect(await screen.findByText('•••• 4242')).toBeVisible();
  });

  it("shows 'Please try again later!' when the canceled subscriptions can't be loaded", async () => {
    serveLicensee(null, aCard('4242'));
    serveCall(listPath, { name: 'ERRPROVIDER', message: 'No answer.' }, 502);
    openConfirmScreen(resubscriptionState);

    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
  });
});
