import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSessionStore } from '@/modules/session/session-store';
import { aLicense } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { findPlanCard, openPlans, planCard } from './testing';

/** By currency and plan: the price and the annual amount, yearly and monthly. */
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
  ])('in %s show the smallest saving of annual billing', async (currency, saving) => {
    serveVisitor();
    openPlans();
    await userEvent.click(await screen.findByRole('radio', { name: currency }));
    expect(screen.getByRole('group', { name: 'Billing interval' })).toHaveAccessibleDescription(
      saving,
    );
  });

  it.each([
    ['AUD', 'Prices include 10 % GST.'],
    ['NZD', 'Prices include 15 % GST.'],
    ['GBP', 'Prices include 20 % VAT.'],
  ])('in %s name the tax that they include', async (currency, text) => {
    serveVisitor();
    openPlans();
    await userEvent.click(await screen.findByRole('radio', { name: currency }));
    expect(screen.getByText(text)).toBeVisible();
  });

  it('in USD mention no tax', async () => {
    serveVisitor();
    openPlans();
    await userEvent.click(await screen.findByRole('radio', { name: 'USD' }));
    expect(screen.queryByText(/^Prices include/)).not.toBeInTheDocument();
  });

  it.each(prices)('in %s of %s', async (currency, name, yearly, perYear, monthly, twelveMonths) => {
    serveVisitor();
    openPlans();
    const card = await findPlanCard(name);

    await userEvent.click(screen.getByRole('radio', { name: currency }));
    expect(card.getByText(yearly)).toBeVisible();
    expect(card.getByText('per month')).toBeVisible();
    expect(card.getByText(`Free 7-day trial ${perYear} paid annually`)).toBeVisible();
    expect(card.queryByText(/billed each month/)).not.toBeInTheDocument();

    await userEvent.click(screen.getByRole('radio', { name: 'Monthly billing' }));
    expect(card.getByText(monthly)).toBeVisible();
    expect(card.getByText(`Free 7-day trial ${twelveMonths} paid annually`)).toBeVisible();
    expect(card.getByText(`${monthly} billed each month`)).toBeVisible();
  });

  it('can be shown in each currency, which has its flag', async () => {
    serveVisitor();
    openPlans();
    const choice = await screen.findByRole('group', { name: 'Currency' });

    expect(choice).toHaveTextContent(/USD.*NZD.*AUD.*EUR.*GBP$/);
    const flags = [...choice.querySelectorAll('img')].map(({ src }) => src.split('/').at(-1));
    expect(flags).toEqual(['usd.png', 'nzd.png', 'aud.png', 'eur.png', 'gbp.png']);
  });

  it('default to annual billing in AUD, and announce another choice', async () => {
    serveVisitor();
    openPlans();

    expect(await screen.findByRole('radio', { name: 'AUD' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'GBP' }));

    expect(screen.getByRole('status')).toHaveTextContent(
      'Prices per month in British pounds sterling, billed yearly',
    );
  });

  it('default to the currency chosen at registration', async () => {
    serveUser({}, { customer: { metadata: { currency: 'GBP' } } });
    openPlans();

    expect(await screen.findByRole('radio', { name: 'GBP' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'USD' })).toBeEnabled();
  });

  it('stay in the currency the organisation is billed in', async () => {
    serveUser({ license: aLicense({ currency: 'NZD', interval: 'monthly' }) });
    openPlans();
    expect(await screen.findByRole('radio', { name: 'NZD' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Monthly billing' })).toBeChecked();

    await userEvent.click(screen.getByRole('radio', { name: 'USD' }));

    expect(screen.getByRole('radio', { name: 'USD' })).toBeDisabled();
    expect(screen.getByRole('radio', { name: 'NZD' })).toBeChecked();
    expect(screen.getByRole('group', { name: 'Currency' })).toHaveAccessibleDescription(
      'Your organisation is billed in NZD.',
    );
  });

  it("of the customer's current plan are what the customer pays", async () => {
    const price = { amount: 39000, perMonth: 3250, annual: 39000 };
    serveUser({ license: aLicense({ price }), trialUsed: true });
    openPlans();
    const current = await findPlanCard('Standard');
    expect(current.getByText('$32.50')).toBeVisible();
    expect(current.getByText('$390 paid annually')).toBeVisible();
    expect(planCard('Professional').getByText('$816 paid annually')).toBeVisible();

    await userEvent.click(screen.getByRole('radio', { name: 'Monthly billing' }));

    expect(current.getByText('$39')).toBeVisible();
    expect(current.getByText('$468 paid annually')).toBeVisible();
  });

  it("are 'on application' in a currency that is no longer sold", async () => {
    serveUser({ license: aLicense({ currency: 'CHF' }) });
    openPlans();

    expect((await findPlanCard('Professional')).getByText('Price on application')).toBeVisible();
    expect(planCard('Professional').getByRole('button', { name: 'Contact us' })).toBeVisible();
  });

  it('reset to the interval of the license when a user signs in', async () => {
    serveVisitor();
    openPlans();
    await userEvent.click(await screen.findByRole('radio', { name: 'Monthly billing' }));

    serveUser({ license: aLicense({ interval: 'yearly' }) });
    await act(() => useSessionStore.getState().refresh());

    expect(screen.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
    expect(planCard('Standard').getByRole('button', { name: 'Your current plan' })).toBeVisible();
  });

  it('keep the selection while another screen is open', async () => {
    serveVisitor();
    openPlans();
    await userEvent.click(await screen.findByRole('radio', { name: 'EUR' }));

    cleanup();
    openPlans();

    expect(await screen.findByRole('radio', { name: 'EUR' })).toBeChecked();
  });
});
