import { HoldBanner } from '@/app/HoldBanner';
import { OpenPaymentBanner } from '@/app/OpenPaymentBanner';
import { BannerContext, PageBanner } from '@/components/PageBanner';
import { SelectedPlanBanner } from '@/modules/billing/SelectedPlanBanner';
import {
  anOpenPayment,
  authenticationPayment,
  overduePayment,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { config } from './examples';
import type { Section } from './section';

const openPayments = {
  'first payment': anOpenPayment({ kind: 'first_payment' }),
  overdue: overduePayment,
  'needs approval': anOpenPayment({ approval: true }),
  'plan change': planChangePayment,
  'last invoice': owedPayment,
  authentication: authenticationPayment,
};

/** Sections with the banners of the shell and of the forms. */
export const bannerSections: Section[] = [
  {
    names: ['SelectedPlanBanner'],
    states: { 'above a form': <SelectedPlanBanner displayName="Professional" /> },
  },
  {
    names: ['OpenPaymentBanner'],
    wide: true,
    states: Object.fromEntries(
      Object.entries(openPayments).map(([state, payment]) => [
        state,
        <OpenPaymentBanner key={state} payment={payment} />,
      ]),
    ),
  },
  {
    names: ['PageBanner', 'BannerContext'],
    wide: true,
    states: {
      'with a banner of the shell': (
        <BannerContext value={<HoldBanner contact={config.contact.email} />}>
          <PageBanner className="page" />
        </BannerContext>
      ),
    },
  },
  {
    names: ['HoldBanner'],
    wide: true,
    states: { 'disputed payment': <HoldBanner contact={config.contact.email} /> },
  },
];
