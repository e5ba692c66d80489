import type { Money, NextAction } from '@/api';
import { buttonClass } from '@/components/Button';
import { Card } from '@/components/Card';
import { Receipt } from '@/components/illustrations/ChairDrawings';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { canCopy } from '@/lib/clipboard';
import { cx } from '@/lib/cx';
import type { Elements } from '@/lib/elements';
import { paths, routes } from '@/lib/paths';
import { amountText, findCurrency } from '@/modules/billing/amount-text';
import { useCan } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { formatAmount } from '@/rules/money';
import { CopyButton } from './CopyButton';
import { QuoteDifferenceNotice } from './QuoteDifferenceNotice';

interface PaymentInstructionsProps {
  title: string;
  text: string;
  next: NextAction;
  /** How the amount is computed from the invoice's total, for example after credit was used. */
  amountRows?: readonly [label: string, text: string][];
  /** How the invoice differs from its quote. */
  difference?: string;
  /** The main action, by default to go to the dashboard. */
  mainAction?: Elements;
  /** Whether `mainAction` has a button, and not only the result of the action. */
  hasMainButton?: boolean;
  /** Further actions. */
  children?: Elements;
}

/** Returns an amount without symbol, code and commas, "1816.00", as the transfer forms of banks accept it. */
function transferAmount(config: ScreenConfig, amount: Money): string {
  const currency = findCurrency(config, amount.currency);
  if (!currency) return amountText(config, amount);
  return formatAmount(amount.amount, { ...currency, symbol_native: '' }, true).replace(/,/g, '');
}

/** Shows how to pay an invoice outside of the browser: account, reference, amount and due date. */
export function PaymentInstructions({
  title,
  text,
  next,
  amountRows = [],
  difference,
  mainAction,
  hasMainButton,
  children,
}: PaymentInstructionsProps) {
  const canListInvoices = useCan('invoices');
  const config = useConfig();
  const lines = next.instructions.map(({ label, value, amount }) => ({
    label,
    value: amount ? amountText(config, amount) : value,
    copyValue: amount ? transferAmount(config, amount) : value,
  }));
  return (
    <PicturePage picture={<Receipt className="w-full" />}>
      <div role="status">
        <PageTitle focusOnMount>{title}</PageTitle>
        {difference && <QuoteDifferenceNotice>{difference}</QuoteDifferenceNotice>}
        <p className="mt-3 text-muted">{text}</p>
      </div>
      <Card aria-label="How to pay" className="figures mt-6">
        <dl className="space-y-3">
          {amountRows.map(([label, text]) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-6">
              <dt className="text-muted">{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          {lines.map(({ label, value, copyValue }, index) => (
            <div
              key={label}
              className={cx(
                'flex flex-wrap justify-between gap-x-6',
                index === 0 && amountRows.length > 0 && 'border-t border-line pt-3',
              )}
            >
              <dt className="text-muted">{label}</dt>
              <dd
                className={cx(
                  'ml-auto flex items-center gap-1',
                  // The padding is as wide as the button that copies a value.
                  label === 'Due' && canCopy() && 'pr-9',
                )}
              >
                <span translate="no" className="font-semibold break-words select-all">
                  {value}
                </span>
                {label !== 'Due' && <CopyButton label={label} value={copyValue} />}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <div className="mt-6 flex flex-wrap gap-3">
        {mainAction}
        <AppLink to={routes.dash} className={buttonClass(hasMainButton ? 'secondary' : 'primary')}>
          Go to your dashboard
        </AppLink>
        {next.invoice && canListInvoices && (
          <AppLink to={paths.invoice(next.invoice)} className={buttonClass('secondary')}>
            Show the invoice and its PDF
          </AppLink>
        )}
        {children}
      </div>
    </PicturePage>
  );
}
