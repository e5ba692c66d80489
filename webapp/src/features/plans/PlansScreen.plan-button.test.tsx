import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCustomer, aLicense, anOrder } from '@/testing/fixtures';
import { errorResponse, serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { findPlanCard, openPlansScreen } from './testing';

const newCustomerPath = '/vc-admin/user-diy/new-customer';

beforeEach(() => serveConfig());

/** Presses a plan's button on the plans page and returns the new location. */
async function pressPlanButton(name: string, query = '?debug=true') {
  const location = openPlansScreen(query);
  await userEvent.click((await findPlanCard(name)).getByRole('button'));
  return location;
}

describe("a plan's button", () => {
  it('opens the registration form for a visitor', async () => {
    serveVisitor();

    expect((await pressPlanButton('Professional')).path).toBe(
      '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true',
    );
  });

  it('opens a URL without the debug parameter when the area is live', async () => {
    serveConfig({ live: true });
    serveVisitor();

    expect((await pressPlanButton('Standard', '')).path).toBe(
      '/vc-admin/diy/regform?product=standard&currency=AUD&interval=yearly',
    );
  });

  it('opens the payment screen for a customer', async () => {
    serveUser();

    expect((await pressPlanButton('Professional')).path).toBe(
      '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly&debug=true',
    );
  });

  it('opens the contact screen for a plan without a price', async () => {
    serveVisitor();

    const location = await pressPlanButton('Enterprise');

    expect(location.path).toBe('/vc-admin/diy/contact?product=enterprise&interval=yearly');
    expect(location.state).toEqual({ debug: true });
  });

  it('opens the confirmation with the user, the current plan and the new plan', async () => {
    serveUser({ license: aLicense() });

    const location = await pressPlanButton('Professional');

    expect(location.path).toBe('/vc-admin/diy/confirm?debug=true');
    expect(location.state).toMatchObject({
      user: { id: 'usr_1', org: { name: 'Byron Clinic' } },
      from: { product: 'standard', interval: 'yearly', currency: 'AUD' },
      to: { product: 'professional', interval: 'yearly', currency: 'AUD' },
      mode: 'update',
    });
  });

  it('opens the confirmation without a current plan when the license has ended', async () => {
    serveUser({ pastLicense: aLicense() });

    const { path, state } = await pressPlanButton('Professional');

    expect(path).toBe('/vc-admin/diy/confirm?debug=true');
    expect(state).toMatchObject({ user: { id: 'usr_1' }, mode: 'update' });
    expect(state).not.toHaveProperty('from');
  });
});

describe("a plan's button while an order waits for approval", () => {
  it('opens the payment screen, which shows the order', async () => {
    serveUser({ order: anOrder() });

    const location = await pressPlanButton('Professional');

    expect(location.path).toBe(
      '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly&debug=true',
    );
  });

  it('reads "See your order", and the closing section offers no trial', async () => {
    serveUser({ order: anOrder() });
    openPlansScreen('?debug=true');
    await findPlanCard('Professional');

    expect(screen.queryByRole('button', { name: /free trial/ })).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'See your order' })).toHaveLength(4);
    expect(screen.queryByText('Professional, if you start today')).not.toBeInTheDocument();
  });
});

describe("a plan's button for a user without a customer", () => {
  beforeEach(() => serveUser({}, { org: { stripeCustomerId: undefined } }));

  it('creates the customer and opens the payment screen', async () => {
    server.use(
      http.post(newCustomerPath, () => {
        serveUser();
        return HttpResponse.json(aCustomer());
      }),
    );

    const location = await pressPlanButton('Standard');

    await vi.waitFor(() =>
      expect(location.path).toBe(
        '/vc-admin/diy/payment?customer=cus_1&product=standard&currency=AUD&interval=yearly&debug=true',
      ),
    );
  });

  it("shows the server's message beside the button when the customer can't be created", async () => {
    const message = 'The payment provider does not answer.';
    server.use(http.post(newCustomerPath, () => errorResponse('ERRPROVIDER', message, 502)));

    const location = await pressPlanButton('Standard');

    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect((await findPlanCard('Standard')).getByRole('button')).not.toHaveAttribute('aria-busy');
    expect(location.path).toBe('/vc-admin/diy/plans?debug=true');
  });
});
