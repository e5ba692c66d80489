import { screen } from '@testing-library/react';
import type { Capability, License } from '@/api';
import { aCard } from '@/testing/card-provider';
import {
  aNextAction,
  aSubscription,
  capabilitiesWithout,
  fullProvider,
  overduePayment,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { serveUser } from '@/testing/handlers';
import { aQuote } from '@/testing/invoice-fixtures';
import {
  aLicenseWithStatus,
  changeState,
  findConfirmButton,
  listPath,
  openConfirmScreen,
  quotePath,
  resubscriptionState,
  serveCall,
  serveLicensee,
} from './testing';

const card = aCard('4242');

describe('an open payment', () => {
  it.each([
    ['an overdue invoice', aLicenseWithStatus('past_due'), overduePayment],
    [
      'a change to another plan',
      aLicenseWithStatus('active'),
      { ...planChangePayment, priceId: 'professional_monthly' },
    ],
  ])(
    'disables the confirmation because of %s and links to the pay screen',
    async (_, license, openPayment) => {
      serveLicensee(license, card, openPayment);
      openConfirmScreen();

      expect(await findConfirmButton()).toHaveAttribute('aria-disabled', 'true');
      expect(await findConfirmButton()).toHaveAccessibleDescription(
        /A payment of yours is still open/,
      );
      expect(screen.getByRole('link', { name: 'Pay it first' })).toHaveAttribute(
        'href',
        '/vc-admin/diy/pay',
      );
    },
  );

  const transfer = aNextAction({
    kind: 'wait',
    instructions: [{ label: 'Reference', value: 'INV-1' }],
  });
  const invoiceProvider = {
    ...fullProvider,
    entry: 'invoice',
    capabilities: capabilitiesWithout('saved_methods'),
  } as const;

  it.each([
    [
      'an owed invoice',
      null,
      owedPayment,
      null,
      'The last invoice of your former plan is not paid. Pay it first',
    ],
    [
      'an invoice',
      aLicenseWithStatus('active'),
      null,
      transfer,
      'A payment of yours is still open. Pay it first',
    ],
    [
      'the invoice of this change',
      aLicenseWithStatus('active'),
      planChangePayment,
      transfer,
      'See how to pay it',
    ],
  ])(
    'requests no quote because of %s and has one link to the pay screen',
    async (_, license, openPayment, next, text) => {
      const quoteRequests = serveCall(quotePath, {}, 500);
      serveCall(listPath, { data: [aSubscription({ status: 'canceled' })] });
      serveLicensee(license, card, openPayment, { provider: invoiceProvider });
      serveUser({
        license,
        pastLicense: license ? null : aLicenseWithStatus('canceled'),
        openPayment,
        next,
      });
      openConfirmScreen(license ? changeState : resubscriptionState);

      expect(await findConfirmButton()).toHaveAccessibleDescription(new RegExp(text));
      const payLinks = screen
        .getAllByRole('link')
        .filter((link) => link.getAttribute('href') === '/vc-admin/diy/pay');
      expect(payLinks).toHaveLength(1);
      expect(quoteRequests).toEqual([]);
      expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    },
  );
});

it('explains that a disputed payment prevents a new subscription, and requests no quote', async () => {
  const quoteRequests = serveCall(quotePath, {}, 500);
  serveCall(listPath, { data: [aSubscription({ status: 'canceled' })] });
  serveLicensee(null, card, null, { provider: fullProvider });
  serveUser({ license: null, pastLicense: aLicenseWithStatus('canceled'), hold: 'disputed' });
  openConfirmScreen(resubscriptionState);
  const button = await findConfirmButton();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription(/disputed.*you can’t subscribe.*contact us/);
  expect(quoteRequests).toEqual([]);
});

it.each([
  ['an ending plan', { ends_at: '2027-11-21T00:00:00Z' }, {}, /Ends on November 21, 2027/],
  [
    'a reason that the server reports',
    {},
    {
      professional_yearly: {
        kind: 'processing',
        reason: 'Your last payment is on its way.',
        at: '2026-11-28T00:00:00Z',
      },
    },
    /on its way\. It is expected by November 28, 2026\./,
  ],
] as const)(
  'shows no charge and no renewal because of %s, and a way back to the plans',
  async (_, licenseFields, planObstacles, text) => {
    const license = { ...aLicenseWithStatus('active'), ...licenseFields };
    serveLicensee(license, card);
    serveUser({ license, planObstacles });
    openConfirmScreen();
    expect(await findConfirmButton()).toHaveAttribute('aria-disabled', 'true');
    expect(document.body).toHaveTextContent(text);
    expect(screen.queryByText('Due now')).not.toBeInTheDocument();
    expect(screen.queryByText(/Renews every/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: '← Back to the plans' })).toHaveAttribute(
      'href',
      expect.stringContaining('/vc-admin/diy/plans'),
    );
  },
);

describe('a plan that can’t be changed', () => {
  it.each([
    [{ ends_at: '2027-11-21T00:00:00Z' }, [], /^Your plan ends on .*Resume it first/],
    [{ pause: { until: null } }, [], /^Your plan can’t be changed while your payments are paused/],
    [{ hold: 'disputed' }, [], /^A payment of your organisation is disputed.*Please contact us: /],
    [{}, ['change_now', 'at_period_end'], /^This change can’t be made here/],
  ])(
    'explains why with license fields %j and without capabilities %j',
    async (licenseFields, missingCapabilities, reason) => {
      const license = { ...aLicenseWithStatus('active'), ...(licenseFields as Partial<License>) };
      const capabilities = capabilitiesWithout(...(missingCapabilities as Capability[]));
      serveLicensee(license, card, null, { provider: { ...fullProvider, capabilities } });
      serveCall(quotePath, aQuote());
      openConfirmScreen();
      const button = await findConfirmButton();
      expect(button).toHaveAttribute('aria-disabled', 'true');
      expect(button).toHaveAccessibleDescription(reason);
    },
  );
});
