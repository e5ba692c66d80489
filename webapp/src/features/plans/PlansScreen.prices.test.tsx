import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSessionStore } from '@/modules/session/session-store';
import { aLicense } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { findPlanCard, openPlansScreen, planCard } from './testing';

/** For each currency and plan the price per month and per year, first for annual and then for monthly billing. */
const prices = [
  ['USD', 'Standard', '$25', '$300', '$28', '$336'],
  ['USD', 'Professional', '$49', '$588', '$55', '$660'],
  ['NZD', 'Standard', '$38', '$456', '$42', '$504'],
  ['NZD', 'Professional', '$73', '$876', '$82', '$984'],
  ['AUD', 'Standard', '$35', '$420', '$39', '$468'],
  ['AUD', 'Professional', '$68', '$816', '$76', '$912'],
  ['EUR', 'Standard', '€23', '€276', '€25', '€300'],
  ['EUR', 'Professional', '€44', '€528', '€49', '€588'],
  ['GBP', 'Standard', '£20', '£240', '£22', '£264'],
  ['GBP', 'Professional', '£39', '£468', '£44', '£528'],
] as const;

beforeEach(() => serveConfig());

describe('the prices', () => {
  it.each([
    ['AUD', 'Save 10 % with annual billing.'],
    ['EUR', 'Save 8 % with annual billing.'],
    ['GBP', 'Save 9 % with annual billing.'],
  ])('in %s come with the note "%s"', async (currency, note) => {
    serveVisitor();
    openPlansScreen();
    await userEvent.click(await screen.findByRole('radio', { name: currency }));
    expect(screen.getByRole('group', { name: 'Billing interval' })).toHaveAccessibleDescription(
      note,
    );
  });

  it.each([
    ['AUD', 'Prices include 10 % GST.'],
    ['NZD', 'Prices include 15 % GST.'],
    ['GBP', 'Prices include 20 % VAT.'],
  ])('in %s come with the tax note "%s"', async (currency, text) => {
    serveVisitor();
    openPlansScreen();
    await userEvent.click(await screen.findByRole('radio', { name: currency }));
    expect(screen.getByText(text)).toBeVisible();
  });

  it('in USD mention no tax', async () => {
    serveVisitor();
    openPlansScreen();
    await userEvent.click(await screen.findByRole('radio', { name: 'USD' }));
    expect(screen.queryByText(/^Prices include/)).not.toBeInTheDocument();
  });

  it.each(prices)(
    'in %s of %s are shown for annual and monthly billing',
    async (currency, plan, perMonthPaidAnnually, perYearPaidAnnually, perMonthPaidMonthly, perYearPaidMonthly) => {
      serveVisitor();
      openPlansScreen();
      const card = await findPlanCard(plan);

      await userEvent.click(screen.getByRole('radio', { name: currency }));
      expect(card.getByText(perMonthPaidAnnually)).toBeVisible();
      expect(card.getByText('per month')).toBeVisible();
      expect(card.getByText(`Free 7-day trial ${perYearPaidAnnually} paid annually`)).toBeVisible();
      expect(card.queryByText(/billed each month/)).not.toBeInTheDocument();

      await userEvent.click(screen.getByRole('radio', { name: 'Monthly billing' }));
      expect(card.getByText(perMonthPaidMonthly)).toBeVisible();
      expect(card.getByText(`Free 7-day trial ${perYearPaidMonthly} paid annually`)).toBeVisible();
      expect(card.getByText(`${perMonthPaidMonthly} billed each month`)).toBeVisible();
    },
  );

  it('can be shown in five currencies, each with its flag', async () => {
    serveVisitor();
    openPlansScreen();
    const currencyGroup = await screen.findByRole('group', { name: 'Currency' });

    expect(currencyGroup).toHaveTextContent(/USD.*NZD.*AUD.*EUR.*GBP$/);
    const flags = [...currencyGroup.querySelectorAll('img')].map(({ src }) =>
      src.split('/').at(-1),
    );
    expect(flags).toEqual(['usd.png', 'nzd.png', 'aud.png', 'eur.png', 'gbp.png']);
  });

  it('are shown for annual billing in AUD by default, and another choice is announced', async () => {
    serveVisitor();
    openPlansScreen();

    expect(await screen.findByRole('radio', { name: 'AUD' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'GBP' }));

    expect(screen.getByRole('status')).toHaveTextContent(
      'Prices per month in British pounds sterling, billed yearly',
    );
  });

  it('are shown by default in the currency that was chosen at registration', async () => {
    serveUser({}, { customer: { metadata: { currency: 'GBP' } } });
    openPlansScreen();

    expect(await screen.findByRole('radio', { name: 'GBP' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'USD' })).toBeEnabled();
  });

  it('are shown only in the currency in which the organisation is billed', async () => {
    serveUser({ license: aLicense({ currency: 'NZD', interval: 'monthly' }) });
    openPlansScreen();
    expect(await screen.findByRole('radio', { name: 'NZD' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Monthly billing' })).toBeChecked();

    await userEvent.click(screen.getByRole('radio', { name: 'USD' }));

    expect(screen.getByRole('radio', { name: 'USD' })).toBeDisabled();
    expect(screen.getByRole('radio', { name: 'NZD' })).toBeChecked();
    expect(screen.getByRole('group', { name: 'Currency' })).toHaveAccessibleDescription(
      'Your organisation is billed in NZD.',
    );
  });

  it("of the current plan and interval are the customer's own prices", async () => {
    const price = { amount: 39000, perMonth: 3250, annual: 39000 };
    serveUser({ license: aLicense({ price }), trialUsed: true });
    openPlansScreen();
    const currentPlan = await findPlanCard('Standard');
    expect(currentPlan.getByText('$32.50')).toBeVisible();
    expect(currentPlan.getByText('$390.00 paid annually')).toBeVisible();
    expect(planCard('Professional').getByText('$816.00 paid annually')).toBeVisible();

    await userEvent.click(screen.getByRole('radio', { name: 'Monthly billing' }));

    expect(currentPlan.getByText('$39')).toBeVisible();
    expect(currentPlan.getByText('$468 paid annually')).toBeVisible();
  });

  it("are 'on application' in a currency that is no longer sold", async () => {
    serveUser({ license: aLicense({ currency: 'CHF' }) });
    openPlansScreen();

    expect((await findPlanCard('Professional')).getByText('Price on application')).toBeVisible();
    expect(planCard('Professional').getByRole('button', { name: 'Contact us' })).toBeVisible();
  });

  it('are shown for the interval of the license after a visitor signs in', async () => {
    serveVisitor();
    openPlansScreen();
    await userEvent.click(await screen.findByRole('radio', { name: 'Monthly billing' }));

    serveUser({ license: aLicense({ interval: 'yearly' }) });
    await act(() => useSessionStore.getState().refresh());

    expect(screen.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
    expect(planCard('Standard').getByRole('button', { name: 'Your current plan' })).toBeVisible();
  });

  it('are shown in the selected currency when the page is opened again', async () => {
    serveVisitor();
    openPlansScreen();
    await userEvent.click(await screen.findByRole('radio', { name: 'EUR' }));

    cleanup();
    openPlansScreen();

    expect(await screen.findByRole('radio', { name: 'EUR' })).toBeChecked();
  });
});
