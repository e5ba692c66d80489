import type { Config, Money } from '@/api';
import { cx } from '@/lib/cx';
import { amountParts } from '@/lib/offer';

interface BigAmountProps {
  amount: Money;
  config: Config;
  className?: string;
}

/** The amount that a panel is about, with its currency code in small. */
export function BigAmount({ amount, config, className }: BigAmountProps) {
  const { figure, code } = amountParts(config, amount);
  return (
    <p className={cx('text-3xl', className)}>
      <span className="amount font-heading">{figure}</span>
      {code && <span className="text-base text-muted">{` ${code}`}</span>}
    </p>
  );
}
