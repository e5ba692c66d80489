import type { Config, Invoice, OpenPayment } from '@/api';
import { buttonClass } from '@/components/Button';
import { ChargeLine } from '@/components/ChargeLine';
import { CircleCheckIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { routes } from '@/lib/paths';
import { type AmountFormat, amountFormat } from '@/modules/billing/amount-text';
import { BigAmount } from '@/modules/billing/BigAmount';
import { buyerLines } from '@/modules/billing/details-text';
import { carriedForwardOf, dueOf, isCreditNote, taxLabel } from '@/modules/billing/invoice-text';
import { transferReportText } from '@/modules/billing/transfer-report-text';
import { actionWithInstructions, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { canManageBilling } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { dateOf, invoiceStatusText } from './invoice-status';
import { LineTable } from './LineTable';
import { paymentRows } from './payment-rows';

interface InvoiceProps {
  invoice: Invoice;
}

/** The content of an invoice: the total and its payment status, seller and buyer, the lines, and the payments. */
export function InvoiceDocument({ invoice: reported, user }: InvoiceProps & { user: User }) {
  const config = useConfig();
  const invoice = { ...reported, timeZone: reported.timeZone ?? config.timeZone };
  const { lines, total, tax, failedRefunds } = invoice;
  const payments = paymentRows(invoice);
  const amountDue = dueOf(invoice);
  const amounts = [...lines, total, tax, ...payments, { amount: amountDue }].map(({ amount }) => ({
    ...total,
    amount,
  }));
  const documentFormat = amountFormat(config, amounts);
  const format = (amount: number) => documentFormat.symbolText({ ...total, amount });
  return (
    <div className="figures mt-5 divide-y divide-line rounded-card border border-line bg-surface *:px-4 *:py-5 *:sm:px-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <p className="text-sm text-muted">Total</p>
          <BigAmount amount={total} format={documentFormat} />
          {tax.amount !== 0 && (
            <p className="text-sm text-muted">
              {`includes ${taxLabel(invoice, config)}, ${format(tax.amount)}`}
            </p>
          )}
        </div>
        <PaymentStatus invoice={invoice} user={user} format={documentFormat} />
        {failedRefunds && failedRefunds.amount > 0 && (
          <p className="w-full text-sm text-attention">
            {`A refund of ${documentFormat.amountText(failedRefunds)} did not reach you. Please contact us.`}
          </p>
        )}
      </div>
      <InvoiceHeader invoice={invoice} />
      <div>
        <LineTable invoice={invoice} format={format} />
        {tax.amount !== 0 && (
          <dl className="mt-3 ml-auto max-w-xs space-y-2">
            <ChargeLine label="Total without tax">{format(total.amount - tax.amount)}</ChargeLine>
            <ChargeLine label={taxLabel(invoice, config)}>{format(tax.amount)}</ChargeLine>
            <ChargeLine total label="Total">
              {format(total.amount)}
            </ChargeLine>
          </dl>
        )}
      </div>
      {payments.length > 0 && (
        <section>
          <h2 className="mb-3 text-lg">{isCreditNote(invoice) ? 'Credit' : 'Payments'}</h2>
          <dl className="space-y-3">
            {payments.map(({ kind, label, amount, at, method, creditNote }, index) => {
              const isPayment = kind === 'payment' && method !== '';
              return (
                <ChargeLine
                  // biome-ignore lint/suspicious/noArrayIndexKey: payments have no ids and are never reordered
                  key={index}
                  label={isPayment ? method : label}
                  detail={[!isPayment && method, creditNote, at && dateOf(invoice, at)]
                    .filter(Boolean)
                    .join(', ')}
                >
                  {format(amount)}
                </ChargeLine>
              );
            })}
            {!isCreditNote(invoice) && (
              <ChargeLine total strong={amountDue > 0} label="Amount due">
                {`${format(amountDue)} ${total.currency}`}
              </ChargeLine>
            )}
          </dl>
        </section>
      )}
    </div>
  );
}

interface PaymentStatusProps extends InvoiceProps {
  user: User;
  format: AmountFormat;
}

/**
 * Says whether the invoice is paid or which amount is due, with a link to the pay screen if that screen can charge the
 * invoice.
 */
function PaymentStatus({ invoice, user, format }: PaymentStatusProps) {
  const config = useConfig();
  const due = format.amountText({ ...invoice.total, amount: dueOf(invoice) });
  const openPayment = user.openPayment?.invoiceId === invoice.id ? user.openPayment : null;
  const canPay = openPayment || actionWithInstructions(user.next)?.invoice === invoice.id;
  const reportText =
    dueOf(invoice) > 0 ? transferReportText(user.next, invoice.id, invoice.timeZone) : '';
  const isPaid = invoice.status === 'paid' && carriedForwardOf(invoice) === 0;
  return (
    <div className="flex flex-wrap items-center gap-4">
      <p className={cx('flex gap-2 text-sm', isPaid ? 'text-success' : 'text-muted')}>
        {isPaid && <CircleCheckIcon size={18} className="mt-0.5 shrink-0" />}
        <span className="wrap-anywhere">
          {invoiceStatusText(invoice, openPayment, due, format.amountText)}
        </span>
      </p>
      {canPay && canManageBilling(user) && dueOf(invoice) > 0 && (
        <AppLink to={routes.pay} className={buttonClass()}>
          {payLabel(due, openPayment, config)}
        </AppLink>
      )}
      <p className="w-full text-sm text-muted empty:hidden">{reportText}</p>
    </div>
  );
}

function payLabel(due: string, openPayment: OpenPayment | null, config: Config): string {
  if (paysInvoices(config)) return 'See how to pay';
  return openPayment?.approval ? 'Approve your payment' : `Pay ${due}`;
}

/** The seller and the buyer, with the number and the dates of the invoice. */
function InvoiceHeader({ invoice }: InvoiceProps) {
  const { branding } = useConfig();
  const { number, createdAt, dueAt, billedTo } = invoice;
  const seller = invoice.seller ?? { name: branding.company, lines: branding.addressLines };
  const details = [
    ['Date', dateOf(invoice, createdAt)],
    ['Number', number],
    ['Due', dueAt && dateOf(invoice, dueAt)],
    ['Purchase order', billedTo?.purchaseOrder],
  ] as const;
  return (
    <div className="grid gap-x-6 gap-y-4 text-sm sm:grid-cols-2 @columns:grid-cols-3">
      <Party title="From" lines={[seller.name, ...seller.lines]} />
      {billedTo && <Party title="To" lines={buyerLines(billedTo)} />}
      <dl className="grid content-start gap-x-6 gap-y-2 sm:max-@columns:col-span-2 sm:max-@columns:grid-cols-2">
        {details.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="text-muted">{label}</dt>
                <dd
                  translate={label === 'Date' || label === 'Due' ? undefined : 'no'}
                  className="wrap-anywhere"
                >
                  {value}
                </dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

/** The seller or the buyer. */
const Party = ({ title, lines }: { title: string; lines: string[] }) => (
  <dl>
    <dt className="text-muted">{title}</dt>
    {lines.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal, such as a city and its state
      <dd key={index} translate="no" className="wrap-anywhere">
        {line}
      </dd>
    ))}
  </dl>
);
