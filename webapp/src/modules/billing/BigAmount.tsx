import type { Money } from '@/api';
import { cx } from '@/lib/cx';
import { useConfig } from '@/modules/config/config-store';
import { type AmountFormat, amountFormat, findCurrency } from './amount-text';

interface BigAmountProps {
  amount: Money;
  /** The format of the block; by default the amount has decimals only if it is not whole. */
  format?: AmountFormat;
  className?: string;
}

/** An amount in large type, with its currency code in small type. */
export function BigAmount({ amount, format, className }: BigAmountProps) {
  const config = useConfig();
  const { symbolText } = format ?? amountFormat(config, [amount]);
  // Amounts in a currency that is not in the catalogue contain the code already.
  const code = findCurrency(config, amount.currency)?.code;
  return (
    <p translate="no" className={cx('text-3xl', className)}>
      <span className="amount font-heading">{symbolText(amount)}</span>
      {code && <span className="text-base text-muted">{` ${code}`}</span>}
    </p>
  );
}
