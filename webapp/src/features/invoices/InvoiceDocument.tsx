import { Link } from 'react-router-dom';
import type { Config, Invoice } from '@/api';
import { BigAmount } from '@/components/BigAmount';
import { buttonClass } from '@/components/Button';
import { ChargeLine } from '@/components/ChargeLine';
import { paysInvoices, withInstructions } from '@/lib/capabilities';
import { useConfig } from '@/lib/config-store';
import { longDate } from '@/lib/dates';
import { dueOf, settledBy, taxName, taxText } from '@/lib/invoice-text';
import { amountText, columnFormat } from '@/lib/offer';
import { paths } from '@/lib/paths';
import type { User } from '@/lib/session-store';
import { useDebugParam } from '@/lib/use-debug-param';
import { LineTable } from './LineTable';

interface InvoiceProps {
  invoice: Invoice;
}

/** The content of an invoice: what is due, who issued it, its lines, and how it was paid. */
export function InvoiceDocument({ invoice, user }: InvoiceProps & { user: User }) {
  const config = useConfig();
  const { lines, total, tax } = invoice;
  const settled = settledBy(invoice);
  const due = dueOf(invoice);
  const amounts = [...lines, total, tax, ...settled, { amount: due }].map(({ amount }) => amount);
  const format = columnFormat(config, total.currency, amounts);
  return (
    <div className="figures mt-5 divide-y divide-line rounded-card border border-line bg-surface *:px-4 *:py-5 *:sm:px-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <p className="text-sm text-muted">Total</p>
          <BigAmount amount={total} />
          <p className="text-sm text-muted empty:hidden">{taxText(invoice, config)}</p>
        </div>
        <State invoice={invoice} user={user} />
      </div>
      <About invoice={invoice} />
      <div>
        <LineTable invoice={invoice} format={format} />
        {tax.amount > 0 && (
          <dl className="mt-3 ml-auto max-w-xs space-y-2">
            <ChargeLine label={`Total without ${taxName(tax, config)}`}>
              {format(total.amount - tax.amount)}
            </ChargeLine>
            <ChargeLine label={taxName(tax, config)}>{format(tax.amount)}</ChargeLine>
            <ChargeLine sum label="Total">
              {format(total.amount)}
            </ChargeLine>
          </dl>
        )}
      </div>
      {settled.length > 0 && (
        <section>
          <h2 className="mb-3 text-lg">How it was settled</h2>
          <dl className="space-y-3">
            {settled.map(({ kind, label, amount }) => (
              <ChargeLine
                key={kind}
                label={label}
                detail={kind === 'paid' && invoice.paidAt ? dateOf(invoice, invoice.paidAt) : ''}
              >
                {format(amount)}
              </ChargeLine>
            ))}
            <ChargeLine sum strong label="Due">
              {`${format(due)} ${total.currency}`}
            </ChargeLine>
          </dl>
        </section>
      )}
    </div>
  );
}

/** Whether the invoice is paid, or what is due and how to pay it. */
function State({ invoice, user }: InvoiceProps & { user: User }) {
  const config = useConfig();
  const debugParam = useDebugParam();
  const isOpen =
    user.openPayment?.invoiceId === invoice.id ||
    withInstructions(user.next)?.invoice === invoice.id;
  return (
    <div className="flex flex-wrap items-center gap-4">
      <p className="text-sm text-muted">{stateText(invoice, config)}</p>
      {isOpen && dueOf(invoice) > 0 && (
        <Link to={paths.pay(debugParam)} className={buttonClass()}>
          {paysInvoices(config) ? 'See how to pay' : 'Pay'}
        </Link>
      )}
    </div>
  );
}

function stateText(invoice: Invoice, config: Config): string {
  const { status, total, paidAt, dueAt } = invoice;
  const due = amountText(config, { ...total, amount: dueOf(invoice) });
  switch (status) {
    case 'draft':
      return 'It is being prepared.';
    case 'void':
      return 'This bill was cancelled. Nothing is due.';
    case 'open':
      return dueAt ? `${due} is due on ${dateOf(invoice, dueAt)}.` : `${due} is due.`;
    case 'uncollectible':
      return `${due} was not paid.`;
    case 'paid':
      if (total.amount < 0) return 'It was added to your credit.';
      return paidAt && total.amount > 0
        ? `Paid on ${dateOf(invoice, paidAt)}. Nothing is due.`
        : 'Nothing is due.';
  }
}

/** A date in the time zone of the invoice. */
const dateOf = (invoice: Invoice, time: string): string =>
  longDate(new Date(time), invoice.timeZone);

/** Who issued the invoice, its number and its dates. */
function About({ invoice }: InvoiceProps) {
  const { branding } = useConfig();
  const { number, createdAt, dueAt } = invoice;
  const facts = [
    ['Number', number],
    ['Date', dateOf(invoice, createdAt)],
    ['Due', dueAt && dateOf(invoice, dueAt)],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-4 text-sm sm:grid-cols-2 @columns:grid-cols-[2fr_1fr_1fr_1fr]">
      <div>
        <dt className="text-muted">From</dt>
        {[branding.company, ...branding.addressLines].map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </div>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
