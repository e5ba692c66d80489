import { ChargeLine } from '@/components/ChargeLine';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { IllustratedPanel, Panel, PanelSection } from '@/components/Panel';
import { Steps } from '@/components/Steps';
import { SummaryPanel } from '@/components/SummaryPanel';
import { amountFormat } from '@/modules/billing/amount-text';
import { BigAmount } from '@/modules/billing/BigAmount';
import { InvoiceRow } from '@/modules/billing/InvoiceRow';
import { CreditNoteButtons, PdfButton, PdfFailure } from '@/modules/billing/PdfDownload';
import { QuoteDifferenceNotice } from '@/modules/payments/QuoteDifferenceNotice';
import { QuotedCharge } from '@/modules/payments/QuotedCharge';
import type { QuoteState } from '@/modules/payments/use-quote';
import { aConfig } from '@/testing/fixtures';
import { anInvoice, aQuote, aud } from '@/testing/invoice-fixtures';
import { noop } from './examples';
import type { Section } from './section';

const labels = { due: 'Due now', next: 'Next charge' };
const chargeProps = { labels, placeholder: aQuote() };

const aReadyState = (changes: Partial<Extract<QuoteState, { status: 'ready' }>> = {}) => ({
  status: 'ready' as const,
  quote: aQuote(),
  previousQuote: null,
  refusedQuote: null,
  renewAt: 0,
  ...changes,
});

const aDownload = (busyId: string | null = null) => ({ start: noop, busyId, failure: null });

const aCreditNote = {
  kind: 'credit_note',
  label: 'Credit note',
  amount: aud(-1000),
  at: '2026-12-01T00:00:00Z',
  creditNote: 'VISION-0001-CN-01',
} as const;

/** Sections with amounts and invoices. */
export const chargeSections: Section[] = [
  {
    names: ['ChargeLine'],
    states: {
      'with a total': (
        <dl className="space-y-3">
          <ChargeLine label="Professional">$664.90</ChargeLine>
          <ChargeLine label="Unused time on Standard" detail="until 21 November 2027">
            −$322.80
          </ChargeLine>
          <ChargeLine label="Due now" total strong detail="on 29 January 2027">
            $342.10
          </ChargeLine>
        </dl>
      ),
    },
  },
  {
    names: ['Steps'],
    states: {
      'for a trial': (
        <Steps
          steps={[
            { title: 'Today', text: 'Your trial starts', amount: '$0', status: 'current' },
            { title: '28 November 2026', text: 'Professional for a year', amount: '$816' },
            { title: '28 November 2027', text: 'Renewal', amount: '$816' },
          ]}
        />
      ),
      'horizontal, in a wide container': (
        <div className="@container">
          <Steps
            horizontal
            steps={[
              { title: 'Account', text: 'You have registered', status: 'done' },
              { title: 'Email', text: 'Open the link that we sent', status: 'current' },
              { title: 'Trial', text: 'Begins today' },
            ]}
          />
        </div>
      ),
      'after registering': (
        <Steps
          steps={[
            { title: 'Account', text: 'You have registered', status: 'done' },
            { title: 'Email', text: 'Open the link that we sent', status: 'current' },
            { title: 'Card', text: 'Nothing is charged during the trial' },
          ]}
        />
      ),
    },
  },
  {
    names: ['BigAmount'],
    states: { amount: <BigAmount amount={{ amount: 74_800, currency: 'AUD' }} /> },
  },
  {
    names: ['InvoiceRow'],
    wide: true,
    states: Object.fromEntries(
      (['paid', 'open', 'void', 'uncollectible'] as const).map((status) => [
        status,
        <div key={status} className="page @container">
          <InvoiceRow
            invoice={anInvoice(
              status === 'paid' ? {} : { status, paidAt: null, amountPaid: aud(0) },
            )}
            format={amountFormat(aConfig(), [])}
          />
        </div>,
      ]),
    ),
  },
  {
    names: ['PdfButton', 'PdfFailure', 'CreditNoteButtons', 'creditNotesOf', 'usePdfDownload'],
    states: {
      'with a label': <PdfButton invoice={anInvoice()} download={aDownload()} />,
      'in a list': <PdfButton invoice={anInvoice()} download={aDownload()} iconOnly />,
      downloading: <PdfButton invoice={anInvoice()} download={aDownload(anInvoice().id)} />,
      failed: (
        <PdfFailure download={{ ...aDownload(), failure: 'Please try again.' }} className="" />
      ),
      'credit notes': <CreditNoteButtons invoice={anInvoice({ movements: [aCreditNote] })} />,
    },
  },
  {
    names: ['Panel', 'PanelSection', 'IllustratedPanel'],
    wide: true,
    states: {
      'with two sections': (
        <div className="page @container">
          <Panel>
            <PanelSection>Your plan</PanelSection>
            <PanelSection>Your next charge</PanelSection>
          </Panel>
        </div>
      ),
      'with a picture': (
        <div className="page @container">
          <IllustratedPanel picture={<Calendar className="w-52" />}>Your plan</IllustratedPanel>
        </div>
      ),
    },
  },
  {
    names: ['SummaryPanel'],
    states: {
      'a card on a wide screen, or a line that expands on a narrow one': (
        <SummaryPanel
          label="Summary"
          heading={<p className="font-semibold">You are subscribing to a Professional plan</p>}
          collapsedLine={['$816 AUD per year', '$0', 'today']}
        >
          <p>Professional is free for seven days.</p>
        </SummaryPanel>
      ),
    },
  },
  {
    names: ['QuotedCharge'],
    states: {
      ready: <QuotedCharge {...chargeProps} state={aReadyState()} />,
      'with changed amounts': (
        <QuotedCharge
          state={aReadyState({
            previousQuote: aQuote({ dueNow: { amount: 34_000, currency: 'AUD' } }),
          })}
          {...chargeProps}
        />
      ),
      'nothing due': (
        <QuotedCharge
          state={aReadyState({
            quote: aQuote({
              dueNow: { amount: 0, currency: 'AUD' },
              tax: { amount: 0, currency: 'AUD' },
              lines: [],
            }),
          })}
          {...chargeProps}
        />
      ),
      loading: <QuotedCharge {...chargeProps} state={{ status: 'loading' }} />,
      failed: (
        <QuotedCharge state={{ status: 'failed', message: '' }} {...chargeProps} retry={noop} />
      ),
    },
  },
  {
    names: ['QuoteDifferenceNotice'],
    states: {
      text: (
        <QuoteDifferenceNotice>$342.10 AUD was charged instead of $340 AUD.</QuoteDifferenceNotice>
      ),
    },
  },
];
