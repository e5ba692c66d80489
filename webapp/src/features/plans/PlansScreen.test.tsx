import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http } from 'msw';
import { useConfigStore } from '@/modules/config/config-store';
import {
  aConfig,
  aLicense,
  catalogueWithoutTrials,
  catalogueWithPlanWithoutTrial,
} from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { buttonLabels, findPlanCard, openPlansScreen, planCard } from './testing';

const trialLabel = 'Start your free trial';
const contactLabel = 'Contact us';

const findClosingSection = async () =>
  within(await screen.findByRole('region', { name: 'Try Vision for 7 days for free' }));

beforeEach(() => serveConfig());

it("shows 'Loading...' without prices and plans while the session loads", async () => {
  server.use(http.get('/vc-admin/user/detail', () => delay('infinite')));
  openPlansScreen();
  await waitFor(() => expect(useConfigStore.getState().state.status).toBe('ready'));

  expect(screen.getByText('Loading...')).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
  expect(screen.queryByRole('radio')).not.toBeInTheDocument();
});

describe('the disabled plans page', () => {
  it.each(['', '?debug=false', '?debug=0'])(
    'says that it is a preview and has disabled buttons with the query "%s"',
    async (query) => {
      serveVisitor();
      const location = openPlansScreen(query);
      const button = (await findPlanCard('Professional')).getByRole('button', { name: trialLabel });

      await userEvent.click(button);
      await userEvent.click(planCard('Enterprise').getByRole('button', { name: contactLabel }));

      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleDescription(/This is a preview/);
      expect(location.path).toBe(`/vc-admin/diy/plans${query}`);
    },
  );

  it.each([
    ['a customer', { license: aLicense() }, 'Change your plan'],
    ['a former customer', { pastLicense: aLicense() }, 'Change your plan'],
    ['a user without a plan', {}, 'Choose your plan'],
  ])('links %s to the page with enabled buttons', async (_, user, link) => {
    serveUser(user);
    const location = openPlansScreen('');
    await findPlanCard('Professional');

    expect(screen.queryByText(/preview|yet/)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('link', { name: link }));

    expect(location.path).toBe('/vc-admin/diy/plans?debug=true');
    expect(screen.queryByRole('link', { name: link })).not.toBeInTheDocument();
  });

  it('shows the prices of the selected interval and the comparison', async () => {
    serveVisitor();
    openPlansScreen('');

    await userEvent.click(await screen.findByRole('radio', { name: 'Monthly billing' }));

    expect(planCard('Standard').getByText('$39')).toBeVisible();
    expect(screen.getByRole('table')).toBeVisible();
  });

  it('is shown to a user with a developer license', async () => {
    serveUser({ license: aLicense({ isDev: true }) });
    openPlansScreen();

    expect((await findPlanCard('Professional')).getByRole('button')).toHaveAccessibleDescription(
      /developer licence/,
    );
  });
});

describe('the plans page without a license', () => {
  it('offers trials, or a contact for plans that are not sold online', async () => {
    serveVisitor();
    openPlansScreen();
    await findPlanCard('Standard');

    expect(buttonLabels()).toEqual([trialLabel, trialLabel, contactLabel, contactLabel]);
    expect(planCard('Enterprise').getByText('Price on application')).toBeVisible();
  });

  it('has enabled buttons without the debug parameter when the area is live', async () => {
    serveConfig({ live: true });
    serveVisitor();
    openPlansScreen('');

    expect((await findPlanCard('Standard')).getByRole('button')).not.toHaveAttribute(
      'aria-disabled',
    );
  });
});

describe('the plans page with a license', () => {
  it('offers an update to every price except the current one', async () => {
    serveUser({ license: aLicense() });
    openPlansScreen();
    await findPlanCard('Standard');

    expect(buttonLabels()).toEqual([
      'Your current plan',
      'Update your plan',
      contactLabel,
      contactLabel,
    ]);
    expect(planCard('Standard').getByRole('button')).toBeDisabled();

    await userEvent.click(screen.getByRole('radio', { name: 'Monthly billing' }));

    expect(buttonLabels()).toEqual([
      'Update your plan',
      'Update your plan',
      contactLabel,
      contactLabel,
    ]);
  });

  it('marks the new plan of a scheduled change', async () => {
    const changeTime = '2027-11-21T00:00:00Z';
    const standard = { product: 'standard', interval: 'monthly', currency: 'AUD' } as const;
    const scheduled_change = { ...standard, priceId: 'standard_monthly', at: changeTime };
    serveUser({ license: { ...aLicense(), scheduled_change } });
    openPlansScreen();
    expect(
      (await findPlanCard('Standard')).getByText('Your next plan, billed monthly'),
    ).toBeVisible();
    expect(planCard('Professional').queryByText(/Your next plan/)).not.toBeInTheDocument();
  });

  it('offers updates when the license has ended', async () => {
    serveUser({ pastLicense: aLicense({ currency: 'EUR' }) });
    openPlansScreen();
    await findPlanCard('Standard');

    expect(buttonLabels()).toEqual([
      'Update your plan',
      'Update your plan',
      contactLabel,
      contactLabel,
    ]);
    expect(screen.getByRole('radio', { name: 'EUR' })).toBeChecked();
  });
});

describe('the recommended plan', () => {
  it('has the badge and the only solid button', async () => {
    serveVisitor();
    openPlansScreen();
    await findPlanCard('Professional');

    expect(planCard('Professional').getByText('Most chosen')).toBeVisible();
    expect(screen.getAllByText('Most chosen')).toHaveLength(1);
    const buttons = screen.getAllByRole('button');
    expect(buttons.filter((button) => button.matches('.bg-brand'))).toEqual([
      planCard('Professional').getByRole('button'),
    ]);
  });

  it('is not marked when the catalogue recommends none', async () => {
    const { catalogue } = aConfig();
    const plans = catalogue.plans.map((plan) => ({ ...plan, mostChosen: undefined }));
    serveConfig({ catalogue: { ...catalogue, plans } });
    serveVisitor();
    openPlansScreen();
    await findPlanCard('Professional');

    expect(screen.queryByText('Most chosen')).not.toBeInTheDocument();
  });

  it('is chosen with the button of the closing section, which shows its charges', async () => {
    serveVisitor();
    const location = openPlansScreen();
    const closingSection = await findClosingSection();
    expect(closingSection.getByRole('list')).toHaveTextContent(
      /^Today\$0Your 7-day free trial starts.+\$816First charge, for one year/,
    );
    await userEvent.click(closingSection.getByRole('button', { name: trialLabel }));

    expect(location.path).toContain('/regform?product=professional');
  });
});

it('describes the trial in the closing section', async () => {
  serveVisitor();
  openPlansScreen('');

  const closingSection = await findClosingSection();
  expect(
    closingSection.getByText(
      /7-day free trial.*Sign up today.*no patient logins.*no software to download/,
    ),
  ).toBeVisible();
});

it('does not mention a trial if the provider has none', async () => {
  serveConfig({ catalogue: catalogueWithoutTrials() });
  serveVisitor();
  openPlansScreen('');

  const button = (await findPlanCard('Standard')).getByRole('button', { name: 'Subscribe' });
  expect(button).toBeVisible();
  expect(screen.getByRole('main')).not.toHaveTextContent(/trial|free/i);
});

it('does not say that every plan has a trial if one has none', async () => {
  serveConfig({ catalogue: catalogueWithPlanWithoutTrial() });
  serveVisitor();
  openPlansScreen('');

  await findPlanCard('Standard');
  expect(screen.queryByText(/Every plan starts with a 7-day free trial/)).not.toBeInTheDocument();
  expect(screen.queryByText(/Try any plan free/)).not.toBeInTheDocument();
  expect(screen.queryByText('Free for 7 days')).not.toBeInTheDocument();
  expect(screen.getAllByRole('button', { name: trialLabel })).not.toHaveLength(0);
});

describe('the plans page after the trial was used', () => {
  it.each([
    [
      'a user on trial',
      aLicense({ raw: { ...aLicense().raw, status: 'trialing' } }),
      null,
      '?debug=true',
    ],
    ['a user with a license', aLicense(), null, '?debug=true'],
    ['a user with a past license', null, aLicense(), '?debug=true'],
    ['a user with a past license, without the debug parameter', null, aLicense(), ''],
  ])('does not mention a trial to %s', async (_, license, pastLicense, query) => {
    serveUser({ license, pastLicense });
    openPlansScreen(query);
    await findPlanCard('Standard');

    for (const interval of ['Annual billing', 'Monthly billing']) {
      await userEvent.click(screen.getByRole('radio', { name: interval }));
      expect(screen.getByRole('main')).not.toHaveTextContent(/trial|free/i);
    }
    expect(planCard('Professional').getByText('$912 paid annually')).toBeVisible();
  });

  it('shows the annual amount in the currency of the past license', async () => {
    serveUser({ pastLicense: aLicense({ currency: 'GBP' }) });
    openPlansScreen();

    expect((await findPlanCard('Professional')).getByText('£468 paid annually')).toBeVisible();
  });

  it('offers the trial to a user with a developer license, because a developer license uses no trial', async () => {
    serveUser({ license: aLicense({ isDev: true }) });
    openPlansScreen();

    expect((await findPlanCard('Standard')).getByText(/^Free 7-day trial/)).toBeVisible();
  });
});
