import { useState } from 'react';
import type { ChangeTiming, Invoice } from '@/api';
import Footer from '@/app/Footer';
import { Header } from '@/app/Header';
import { CardRow } from '@/features/cards/CardRow';
import { TimingChoice } from '@/features/confirm/TimingChoice';
import { PeriodProgress } from '@/features/dashboard/PeriodProgress';
import { InvoiceDocument } from '@/features/invoices/InvoiceDocument';
import { CardChoice } from '@/features/pay/CardChoice';
import PlansScreen from '@/features/plans/PlansScreen';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { card, user } from './examples';
import { pseudoStates } from './pseudo-states';
import type { Section } from './section';

function TimingChoiceExample() {
  const [value, setValue] = useState<ChangeTiming>('now');
  return (
    <TimingChoice
      options={[
        { value: 'now', label: 'Now', text: 'Updating your plan ends your active trial.' },
        {
          value: 'renewal',
          label: 'When my trial ends, on 3 December 2026',
          text: 'You keep your Professional trial until 3 December 2026.',
        },
      ]}
      value={value}
      onChange={setValue}
    />
  );
}

/** Returns a card that expires at the end of this month, or in the same month of another year. */
function expiringCard(last4: string, yearsFromNow = 0) {
  const now = new Date();
  const { id, card: details } = card('amex', last4);
  const expiry = { exp_month: now.getMonth() + 1, exp_year: now.getFullYear() + yearsFromNow };
  return { id, card: { ...details, ...expiry } };
}

const cards = [card('visa', '4242'), card('mastercard', '4444'), expiringCard('0005', -1)];

function CardChoiceExample({ disabled = false }: { disabled?: boolean }) {
  const [selectedId, setSelectedId] = useState<string | null>('pm_4242');
  return (
    <CardChoice
      cards={cards}
      defaultCardId="pm_4242"
      selectedId={selectedId}
      onChange={setSelectedId}
      disabled={disabled}
      newCardLabel="Another card"
    />
  );
}

const cardActions = { busyCardId: null, makeDefault: async () => {}, deleteCard: async () => {} };

const unpaidFields = { status: 'open', paidAt: null, amountPaid: aud(0) } as const;

const invoiceChanges: Record<string, Partial<Invoice>> = {
  paid: {},
  open: { ...unpaidFields, dueAt: '2026-12-12T10:00:00Z' },
  'credit note': {
    description: 'Change to Standard',
    lines: [
      {
        description: 'Unused time on Professional',
        amount: -39_596,
        period: { start: '2027-01-14T10:00:00Z', end: '2027-11-28T10:00:00Z' },
      },
    ],
    tax: aud(-3600),
    total: aud(-39_596),
    amountDue: aud(0),
    amountPaid: aud(0),
  },
  cancelled: { ...unpaidFields, status: 'void' },
};

const period = { periodStart: '2026-11-28T10:00:00Z', periodEnd: '2027-11-28T10:00:00Z' };

/** Sections with the header, the footer, and the main components of screens or whole screens. */
export const featureSections: Section[] = [
  { names: ['Header', 'AccountMenu'], wide: true, states: { 'signed in': <Header /> } },
  { names: ['Footer'], wide: true, states: { 'on a screen without a charge': <Footer /> } },
  {
    names: ['PlansScreen', 'PlanControls', 'PlanCard', 'Comparison', 'ClosingSection'],
    wide: true,
    states: { 'for a user without a plan': <PlansScreen /> },
  },
  {
    names: ['TimingChoice'],
    states: { 'for a trial': <TimingChoiceExample />, ...pseudoStates(<TimingChoiceExample />) },
  },
  {
    names: ['CardChoice'],
    states: {
      enabled: <CardChoiceExample />,
      'while paying': <CardChoiceExample disabled />,
      ...pseudoStates(<CardChoiceExample />),
    },
  },
  {
    names: ['CardRow'],
    states: {
      default: (
        <ul>
          <CardRow
            card={card('visa', '4242')}
            isDefault
            usage="Used for Professional, next charge 28 November 2027"
            actions={cardActions}
          />
        </ul>
      ),
      'with a menu': (
        <ul>
          <CardRow
            card={card('mastercard', '4444')}
            isDefault={false}
            usage=""
            actions={cardActions}
          />
        </ul>
      ),
      'expires soon, while another card is changed': (
        <ul>
          <CardRow
            card={expiringCard('0005')}
            isDefault={false}
            usage=""
            actions={{ ...cardActions, busyCardId: 'pm_4444' }}
          />
        </ul>
      ),
    },
  },
  {
    names: ['PeriodProgress'],
    states: {
      'paid period': (
        <PeriodProgress
          subscription={{ status: 'active', trialEnd: null, ...period }}
          now={Date.parse('2027-01-14T10:00:00Z')}
        />
      ),
      trial: (
        <PeriodProgress
          subscription={{
            status: 'trialing',
            ...period,
            periodStart: '2026-11-21T10:00:00Z',
            trialEnd: '2026-11-28T10:00:00Z',
          }}
          now={Date.parse('2026-11-23T10:00:00Z')}
        />
      ),
    },
  },
  {
    names: ['InvoiceDocument'],
    wide: true,
    states: Object.fromEntries(
      Object.entries(invoiceChanges).map(([state, changes]) => [
        state,
        <div key={state} className="page @container">
          <InvoiceDocument invoice={anInvoice(changes)} user={user} />
        </div>,
      ]),
    ),
  },
];
