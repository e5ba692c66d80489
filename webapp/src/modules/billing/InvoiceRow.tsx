import { ChevronRight } from 'lucide-react';
import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { cx } from '@/lib/cx';
import { paths } from '@/lib/paths';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { breakDates, longDate } from '@/modules/session/dates';
import type { AmountFormat } from './amount-text';
import { descriptionOf, headlineOf, partTexts } from './invoice-text';
import { useReportSuffix } from './transfer-report-text';
import { useOpenPayment } from './use-open-payment';

interface InvoiceRowProps {
  invoice: Invoice;
  /** The format of the list. */
  format: AmountFormat;
  /** Whether a button is at the end of the row, outside of the link. */
  isBesideButton?: boolean;
}

/** An invoice as a link to its page: one line where the width allows it, otherwise two, or more for large text. */
export function InvoiceRow({ invoice, format, isBesideButton }: InvoiceRowProps) {
  const { timeZone } = useConfig();
  const zone = invoice.timeZone ?? timeZone;
  const reportSuffix = useReportSuffix(invoice, zone);
  const { label, tone } = headlineOf(invoice, useOpenPayment());
  return (
    <AppLink
      to={paths.invoice(invoice.id)}
      className={cx(
        'figures grid min-h-14 items-center gap-x-3 py-2.5 pl-4 hover:bg-paper sm:pl-6',
        isBesideButton ? 'grid-cols-1' : 'grid-cols-[minmax(0,1fr)_1rem] pr-4 sm:pr-6',
        '@columns:min-h-12 @columns:grid-cols-[9.5rem_minmax(0,1fr)_9rem_8rem_1rem] @columns:gap-x-4 @columns:py-1',
      )}
    >
      <span className={lineClass}>
        <span className="@columns:row-start-1">
          {breakDates(longDate(new Date(invoice.createdAt), zone))}
        </span>
        <span className="ml-auto whitespace-nowrap text-right font-semibold @columns:col-start-4">
          {format.amountText(invoice.total)}
        </span>
      </span>
      <span className={lineClass}>
        <span className="min-w-0 text-sm text-muted wrap-anywhere @columns:col-start-2 @columns:row-start-1 @columns:text-base">
          {[descriptionOf(invoice), ...partTexts(invoice, format)].join(', ') + reportSuffix}
        </span>
        <span className="ml-auto @columns:col-start-3 @columns:row-start-1 @columns:ml-0">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </span>
      <ChevronRight
        aria-hidden
        size={16}
        className={cx(
          'col-start-2 row-span-2 row-start-1 text-muted @columns:col-start-5 @columns:row-span-1',
          isBesideButton && '@max-columns:hidden',
        )}
      />
    </AppLink>
  );
}

const lineClass = 'flex min-w-0 flex-wrap items-center gap-x-3 @columns:contents';
