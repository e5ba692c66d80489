import type { License } from '@/api';
import { offerOf } from '@/modules/billing/offer';
import { longDateOf } from '@/modules/session/dates';
import { aConfig, aLicense } from '@/testing/fixtures';
import { describeCharge } from './charge-text';

const end = 1_800_000_000;

function offer(product: string, interval: string) {
  const found = offerOf(aConfig(), { product, interval, currency: 'AUD' });
  if (!found?.price) throw new Error(`no price for ${product}`);
  return { ...found, price: found.price };
}

function chargeOf(
  [product, interval]: [string, string],
  license: License | null,
  options: { noTrial?: boolean; trialDays?: number; byInvoice?: boolean; payFirst?: boolean } = {},
) {
  const { ref, price } = offer(product, interval);
  const { noTrial = false, trialDays = 7, byInvoice = false, payFirst = false } = options;
  const from = license && offer(license.raw.metadata.name, license.interval);
  const to = { ref, price, trialDays };
  return describeCharge({ to, from, license, noTrial, when: 'now', byInvoice, payFirst });
}

const licenseFor = (product: string, interval: 'monthly' | 'yearly', status = 'active') => {
  const license = aLicense({ interval });
  const raw = { ...license.raw, status: status as 'active', metadata: { name: product, interval } };
  return { ...license, raw: { ...raw, current_period_end: end } };
};

describe('the charge', () => {
  it('of a change that ends a trial is the full price, due now', () => {
    expect(
      chargeOf(['professional', 'yearly'], licenseFor('standard', 'yearly', 'trialing')),
    ).toEqual({
      due: '$816 AUD',
      detail: 'Your card is charged as soon as you confirm.',
    });
  });

  it('for a more expensive plan is the difference until the period ends', () => {
    expect(chargeOf(['professional', 'monthly'], licenseFor('standard', 'monthly'))).toEqual({
      due: 'The difference in price',
      detail: `You pay it now, for the time until ${longDateOf(end)}.`,
    });
  });

  it('for a cheaper plan is nothing now', () => {
    const { due, detail } = chargeOf(['standard', 'yearly'], licenseFor('professional', 'yearly'));
    expect(due).toBe('Nothing now');
    expect(detail).toContain(`until ${longDateOf(end)} is kept as credit`);
  });

  it('for another interval is the price less the unused time', () => {
    const { due, detail } = chargeOf(['standard', 'yearly'], licenseFor('standard', 'monthly'));
    expect(due).toBe('$420 AUD less your unused time');
    expect(detail).toContain('a new period starts today');
  });

  it('omits an unknown end of the period', () => {
    const license = licenseFor('standard', 'monthly');
    const open = { ...license, raw: { ...license.raw, current_period_end: null } };
    expect(chargeOf(['professional', 'monthly'], open).detail).toBe(
      'You pay it now, for the rest of your current period.',
    );
  });

  it('for a past_due license is the open bill, if that has to be paid first', () => {
    const license = licenseFor('standard', 'yearly', 'past_due');
    expect(chargeOf(['professional', 'yearly'], license, { payFirst: true })).toEqual({
      due: 'What is still open',
      detail: 'Your last payment did not go through. The plan can be changed once it is made.',
    });
    expect(chargeOf(['professional', 'yearly'], license)).toEqual({
      due: 'The difference in price',
      detail: 'Your last payment did not go through. It is still due as well.',
    });
  });

  it.each([
    ['trialing', 'You receive an invoice as soon as you confirm.'],
    ['past_due', 'Your invoice is overdue. The plan can be changed once it is paid.'],
  ])('for a %s license that is paid by invoice names the invoice', (status, detail) => {
    const license = licenseFor('standard', 'yearly', status);
    const options = { byInvoice: true, payFirst: true };
    expect(chargeOf(['professional', 'yearly'], license, options)).toMatchObject({ detail });
  });

  it('for a new subscription without a trial is the price, now', () => {
    const now = { due: '$420 AUD', detail: 'Your subscription will start now.' };
    expect(chargeOf(['standard', 'yearly'], null, { noTrial: true })).toMatchObject(now);
    expect(chargeOf(['standard', 'yearly'], null, { trialDays: 0 })).toMatchObject(now);
  });

  it('of a new subscription mentions an unused trial', () => {
    expect(chargeOf(['standard', 'yearly'], null)).toMatchObject({
      due: '$420 AUD',
      detail: 'Charged now, or after 7 days if your organisation has not had its free trial yet.',
    });
  });
});
