import type { Money } from '@/api';
import { cx } from '@/lib/cx';
import { useConfig } from '@/modules/config/config-store';
import { amountParts } from './amount-text';

interface BigAmountProps {
  amount: Money;
  /**
   * Formats the amount like the other amounts of its block. By default the amount has decimals only if it is not whole.
   */
  format?: (minor: number) => string;
  className?: string;
}

/** An amount in large type, with its currency code in small type. */
export function BigAmount({ amount, format, className }: BigAmountProps) {
  const config = useConfig();
  const { figure, code } = amountParts(config, amount);
  return (
    <p className={cx('text-3xl', className)}>
      <span className="amount font-heading">{format?.(amount.amount) ?? figure}</span>
      {code && <span className="text-base text-muted">{` ${code}`}</span>}
    </p>
  );
}
