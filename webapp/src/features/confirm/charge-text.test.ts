import type { License } from '@/api';
import { priceText } from '@/modules/billing/amount-text';
import { offerOf, type PricedOffer } from '@/modules/billing/offer';
import { longDateOf } from '@/modules/session/dates';
import { aConfig, aLicense } from '@/testing/fixtures';
import { describeCharge } from './charge-text';

/** The end of the current period, in seconds. */
const periodEnd = 1_800_000_000;

const offer = (product: string, interval: string) =>
  offerOf(aConfig(), { product, interval, currency: 'AUD' }) as PricedOffer;

interface ChargeOptions {
  noTrial?: boolean;
  trialDays?: number;
  paysInvoices?: boolean;
  methodNoun?: string;
  mustPayFirst?: boolean;
}

/** Describes the charge of an immediate change to this plan and interval. */
function describeImmediateChange(
  [product, interval]: [string, string],
  license: License | null,
  { trialDays = 7, ...options }: ChargeOptions = {},
) {
  const { priceRef, price } = offer(product, interval);
  return describeCharge({
    target: { priceRef, price, priceText: priceText(aConfig(), price), trialDays },
    currentOffer: license && offer(license.raw.metadata.name, license.interval),
    license,
    timing: 'now',
    noTrial: false,
    paysInvoices: false,
    methodNoun: 'card',
    mustPayFirst: false,
    timeZone: undefined,
    ...options,
  });
}

const licenseOf = (product: string, interval: 'monthly' | 'yearly', status = 'active') => {
  const license = aLicense({ interval });
  const raw = { ...license.raw, status: status as 'active', metadata: { name: product, interval } };
  return { ...license, raw: { ...raw, current_period_end: periodEnd } };
};

describe('describeCharge', () => {
  it('returns the full price for a change that ends a trial', () => {
    expect(
      describeImmediateChange(
        ['professional', 'yearly'],
        licenseOf('standard', 'yearly', 'trialing'),
      ),
    ).toEqual({
      due: '$816 AUD',
      detail: 'Your card is charged as soon as you confirm.',
    });
  });

  it('names the bank account when it is charged instead of a card', () => {
    const license = licenseOf('standard', 'yearly', 'trialing');
    const { detail } = describeImmediateChange(['professional', 'yearly'], license, {
      methodNoun: 'bank account',
    });
    expect(detail).toBe('Your bank account is charged as soon as you confirm.');
  });

  it('describes the difference in price until the period ends for a more expensive plan', () => {
    expect(
      describeImmediateChange(['professional', 'monthly'], licenseOf('standard', 'monthly')),
    ).toEqual({
      due: 'The difference in price',
      detail: `You pay it now, for the time until ${longDateOf(periodEnd, undefined)}.`,
    });
  });

  it('says that nothing is due now and the difference is kept as credit for a cheaper plan', () => {
    const { due, detail } = describeImmediateChange(
      ['standard', 'yearly'],
      licenseOf('professional', 'yearly'),
    );
    expect(due).toBe('Nothing now');
    expect(detail).toContain(`until ${longDateOf(periodEnd, undefined)} is kept as credit`);
  });

  it('describes the price less the unused time for another interval', () => {
    const { due, detail } = describeImmediateChange(
      ['standard', 'yearly'],
      licenseOf('standard', 'monthly'),
    );
    expect(due).toBe('$420 AUD less your unused time');
    expect(detail).toContain('a new period starts today');
  });

  it('refers to the rest of the period when its end is unknown', () => {
    const license = licenseOf('standard', 'monthly');
    const licenseWithoutEnd = { ...license, raw: { ...license.raw, current_period_end: null } };
    expect(describeImmediateChange(['professional', 'monthly'], licenseWithoutEnd).detail).toBe(
      'You pay it now, for the rest of your current period.',
    );
  });

  it('describes the overdue payment of a past_due license if it must be made first, and otherwise the difference in price', () => {
    const license = licenseOf('standard', 'yearly', 'past_due');
    expect(
      describeImmediateChange(['professional', 'yearly'], license, { mustPayFirst: true }),
    ).toEqual({
      due: 'What is still open',
      detail: 'Your last invoice is not paid. The plan can be changed once it is paid.',
    });
    expect(describeImmediateChange(['professional', 'yearly'], license)).toEqual({
      due: 'The difference in price',
      detail: 'Your last invoice is not paid. It is still due as well.',
    });
  });

  it.each([
    ['trialing', 'You receive an invoice as soon as you confirm.'],
    ['past_due', 'Your invoice is overdue. The plan can be changed once it is paid.'],
  ])(
    'mentions an invoice instead of a charge for a %s license that is paid by invoice',
    (status, detail) => {
      const license = licenseOf('standard', 'yearly', status);
      const options = { paysInvoices: true, mustPayFirst: true };
      expect(describeImmediateChange(['professional', 'yearly'], license, options)).toMatchObject({
        detail,
      });
    },
  );

  it('returns the price for a new subscription without a trial', () => {
    const charge = { due: '$420 AUD', detail: 'Your subscription will start now.' };
    expect(describeImmediateChange(['standard', 'yearly'], null, { noTrial: true })).toEqual(
      charge,
    );
    expect(describeImmediateChange(['standard', 'yearly'], null, { trialDays: 0 })).toEqual(charge);
  });

  it('says that the charge of a new subscription may come after a trial', () => {
    expect(describeImmediateChange(['standard', 'yearly'], null)).toMatchObject({
      due: '$420 AUD',
      detail: 'Charged now, or after 7 days if your organisation has not had its free trial yet.',
    });
  });
});
