import type { Config, PriceQuote, Card as SavedCardData } from '@/api';
import { BrandMark } from '@/components/BrandMark';
import { Card } from '@/components/Card';
import { CardField } from '@/components/CardField';
import { ChargeSteps } from '@/components/ChargeSteps';
import { HowToEnd } from '@/components/HowToEnd';
import { QuotedCharge } from '@/components/QuotedCharge';
import { SavedCard } from '@/components/SavedCard';
import { SelectedPlanBanner } from '@/components/SelectedPlanBanner';
import { SummaryPanel } from '@/components/SummaryPanel';
import { WithCardProvider } from '@/components/WithCardProvider';
import type { QuoteState } from '@/lib/payment/use-quote';
import { Example, Examples } from './Examples';

const aud = (amount: number) => ({ amount, currency: 'AUD' });
const period = { start: '2027-01-29T00:00:00Z', end: '2027-11-21T00:00:00Z' };

const quote: PriceQuote = {
  quote: 'example',
  expiresAt: period.end,
  dueNow: aud(34210),
  lines: [
    { description: 'Professional', amount: 66490, period },
    { description: 'Unused time on Standard', amount: -32280, period },
  ],
  tax: aud(3110),
  creditBefore: aud(0),
  creditAfter: aud(0),
  next: { ...aud(81600), at: period.end },
  endsTrial: false,
};

const quotes: Record<string, Exclude<QuoteState, { status: 'off' }>> = {
  loading: { status: 'loading' },
  failed: { status: 'failed', message: '' },
  ready: { status: 'ready', quote, before: null, refused: null, renewAt: 0 },
  'ready, with changed amounts': {
    status: 'ready',
    quote,
    before: { ...quote, dueNow: aud(36000) },
    refused: null,
    renewAt: 0,
  },
};

const cardOf = (brand: string, last4: string): SavedCardData => ({
  id: last4,
  card: { brand, last4, exp_month: 12, exp_year: 2034 },
});

/** What is charged when, and the cards that are charged. */
export const ChargeExamples = ({ config }: { config: Config }) => (
  <>
    <Examples title="Charges">
      <Example name="steps">
        <ChargeSteps
          steps={[
            { when: 'Today', what: 'Your 7-day free trial starts', amount: '$0', status: 'now' },
            { when: '30 November 2026', what: 'First charge', amount: '$816' },
          ]}
        />
      </Example>
      <div className="@container md:col-span-2">
        <ChargeSteps
          across
          steps={[
            { when: 'Account', what: 'Created', status: 'done' },
            { when: 'Email', what: 'You are here: open the link in our email', status: 'now' },
            { when: 'Card', what: 'Sign in and add it' },
            { when: 'Trial', what: '7 days free' },
          ]}
        />
      </div>
      {Object.entries(quotes).map(([name, state]) => (
        <Example key={name} name={`quote: ${name}`}>
          <Card>
            <QuotedCharge
              state={state}
              config={config}
              labels={{ due: 'Due now', next: 'Next charge' }}
              strong="due"
              retry={() => {}}
            />
          </Card>
        </Example>
      ))}
      <Example name="summary beside a form">
        <SummaryPanel label="Example of a summary" line={['Professional', '$0 today']}>
          <SelectedPlanBanner displayName="Professional" />
          <HowToEnd config={config}>Renews every year at this price.</HowToEnd>
        </SummaryPanel>
      </Example>
    </Examples>
    <Examples title="Cards">
      {['visa', 'mastercard', 'amex', 'discover'].map((brand, index) => (
        <Example key={brand} name={brand}>
          <SavedCard card={cardOf(brand, `${index}242`)} isDefault={index === 0} />
        </Example>
      ))}
      <Example name="another payment method">
        <SavedCard
          card={{ ...cardOf('', ''), kind: 'bank_debit', label: 'BECS Direct Debit •••• 3456' }}
          isDefault={false}
        />
      </Example>
      <Example name="small marks">
        <p className="flex gap-1">
          {['visa', 'mastercard', 'amex'].map((brand) => (
            <BrandMark key={brand} brand={brand} small />
          ))}
        </p>
      </Example>
      <Example name="card field">
        <WithCardProvider provider={config.provider} placeholder={null}>
          <CardField />
        </WithCardProvider>
      </Example>
      <Example name="card field with an error">
        <WithCardProvider provider={config.provider} placeholder={null}>
          <CardField error="Your card number is incomplete." />
        </WithCardProvider>
      </Example>
    </Examples>
  </>
);
