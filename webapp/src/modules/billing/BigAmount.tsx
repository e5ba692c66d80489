import type { Money } from '@/api';
import { cx } from '@/lib/cx';
import { useConfig } from '@/modules/config/config-store';
import { amountParts } from './amount-text';

interface BigAmountProps {
  amount: Money;
  className?: string;
}

/** An amount in large type, with its currency code in small type. */
export function BigAmount({ amount, className }: BigAmountProps) {
  const config = useConfig();
  const { figure, code } = amountParts(config, amount);
  return (
    <p className={cx('text-3xl', className)}>
      <span className="amount font-heading">{figure}</span>
      {code && <span className="text-base text-muted">{` ${code}`}</span>}
    </p>
  );
}
