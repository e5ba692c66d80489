import { screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import {
  aLicenseWithStatus,
  changeState,
  findConfirmButton,
  listPath,
  openConfirmScreen,
  professionalYearly,
  resubscriptionState,
  serveCall,
  serveLicensee,
  standardYearly,
} from './testing';

const plansPath = '/vc-admin/diy/plans';

describe('redirects', () => {
  it.each([
    ['no state', null],
    ['no user', { from: standardYearly, to: professionalYearly, mode: 'update' }],
    ['another mode', { ...changeState, mode: 'new' }],
    ["another user's choice", { ...changeState, user: { id: 'usr_2' } }],
    [
      'a plan that is not sold',
      { ...changeState, to: { ...professionalYearly, product: 'enterprise' } },
    ],
    ['an unknown plan', { ...changeState, to: { ...professionalYearly, product: 'gold' } }],
  ])('opens the plans page with the debug query for %s', async (_, state) => {
    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    const location = openConfirmScreen(state, '?debug=1');

    await waitFor(() => expect(location.path).toBe(`${plansPath}?debug=true`));
  });

  it('opens the plans page for a visitor', async () => {
    serveConfig();
    serveVisitor();
    const location = openConfirmScreen();

    await waitFor(() => expect(location.path).toBe(plansPath));
  });
});

it("shows 'Loading...' while the session loads", () => {
  serveConfig();
  server.use(http.get('/vc-admin/user/detail', () => delay('infinite')));
  openConfirmScreen();

  expect(screen.getByRole('status')).toHaveTextContent('Loading...');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Confirm your plan');
});

describe('a change of plan', () => {
  it('shows the name, interval and price of both plans, and the status of the current plan', async () => {
    const price = { amount: 39000, perMonth: 3250, annual: 39000 };
    serveLicensee({ ...aLicenseWithStatus('trialing'), price }, aCard('4242'));
    openConfirmScreen();
    await findConfirmButton();

    const [targetHeading, currentHeading] = screen.getAllByRole('heading', { level: 2 });
    expect(currentHeading).toHaveTextContent('CURRENT PLAN (in-trial)');
    expect(currentHeading?.closest('section')).toHaveTextContent(
      'CURRENT PLAN (in-trial)Standard$390 AUD per yearBilled yearly',
    );
    expect(targetHeading?.closest('section')).toHaveTextContent(
      'CHANGING TO Professional$816 AUD per yearBilled yearly',
    );
  });

  it('shows no price for the current plan when the server does not report one', async () => {
    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    openConfirmScreen();
    await findConfirmButton();
    const [, currentHeading] = screen.getAllByRole('heading', { level: 2 });
    expect(currentHeading?.closest('section')).toHaveTextContent(
      /^CURRENT PLAN \(active\)StandardBilled yearly$/,
    );
  });

  it.each([
    ['active', '(active)'],
    ['past_due', '(payment overdue)'],
  ] as const)('shows the status %s as %s', async (status, text) => {
    serveLicensee(aLicenseWithStatus(status), aCard('4242'));
    openConfirmScreen();

    expect(await screen.findByText(text)).toBeVisible();
  });

  it.each([
    ['a change', changeState],
    ['a new subscription', resubscriptionState],
  ])('says that there is nothing to confirm when %s was made before a reload', async (_, state) => {
    serveLicensee(aLicenseWithStatus('active', professionalYearly), aCard('4242'));
    serveCall(listPath, { data: [] });
    openConfirmScreen(state);

    expect(await screen.findByRole('heading', { name: 'Professional is your plan' })).toBeVisible();
    expect(screen.getByText('There is nothing to confirm.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
  });

  it('shows monthly prices per month', async () => {
    const monthly = { interval: 'monthly' } as const;
    serveLicensee(aLicenseWithStatus('active', { ...standardYearly, ...monthly }), aCard('4242'));
    openConfirmScreen({
      ...changeState,
      from: { ...standardYearly, ...monthly },
      to: { ...professionalYearly, ...monthly },
    });
    await findConfirmButton();

    expect(screen.getByText('CHANGING TO').closest('section')).toHaveTextContent(
      '$76 AUD per monthBilled monthly',
    );
  });

  it('shows the current plan of the license when the plan has changed since the plans page', async () => {
    serveLicensee(
      aLicenseWithStatus('active', { ...standardYearly, product: 'professional' }),
      aCard('4242'),
    );
    openConfirmScreen({ ...changeState, to: { ...professionalYearly, interval: 'monthly' } });
    await findConfirmButton();

    expect(screen.getByText('CURRENT PLAN').closest('section')).toHaveTextContent('Professional');
  });

  it('names a current plan that is no longer in the catalogue', async () => {
    serveLicensee(
      aLicenseWithStatus('active', { ...standardYearly, product: 'classic' }),
      aCard('4242'),
    );
    openConfirmScreen();
    await findConfirmButton();

    expect(screen.getByText('CURRENT PLAN').closest('section')).toHaveTextContent(
      'CURRENT PLAN (active)classicBilled yearly',
    );
  });

  it('shows the amount due now and says that the change ends the trial', async () => {
    serveLicensee(aLicenseWithStatus('trialing'), aCard('4242'));
    openConfirmScreen();
    await findConfirmButton();

    const summary = screen.getByRole('region', { name: 'Summary' });
    expect(summary).toHaveTextContent('Due now$816 AUD');
    expect(screen.getByText('Updating your plan ends your active trial.')).toBeVisible();
    expect(summary).toHaveTextContent(
      'Renews every year. We write to you 14 days before. To end it, write to sales@vision.example.',
    );
  });

  it('does not mention a trial when the plan is not in a trial', async () => {
    serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
    openConfirmScreen();
    await findConfirmButton();

    expect(screen.queryByText(/ends your active trial/)).not.toBeInTheDocument();
  });
});

it('shows the notice in the navigation state', async () => {
  serveLicensee(aLicenseWithStatus('active'), aCard('4242'));
  openConfirmScreen({ ...changeState, notice: 'Your overdue invoice of $39 AUD was paid.' });
  expect(await screen.findByText('Your overdue invoice of $39 AUD was paid.')).toBeVisible();
});
