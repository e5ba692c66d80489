import { cx } from '@/lib/cx';

export interface ChargeStep {
  /** The date or the name of the step. */
  when: string;
  what: string;
  amount?: string;
  /** Past steps are filled, and the current one is emphasised. */
  status?: 'done' | 'now';
}

interface ChargeStepsProps {
  steps: ChargeStep[];
  /** Puts the steps beside each other where they fit. */
  across?: boolean;
}

/** The amount of today is large; the others align. */
const currentAmount = 'amount text-xl font-heading';
const otherAmount = 'figures font-semibold whitespace-nowrap';

/** Shows charges with their dates, or the steps to a plan, as dots on a line with amounts at the right. */
export const ChargeSteps = ({ steps, across }: ChargeStepsProps) => (
  <ol className={cx('charge-steps', across && 'charge-steps-across')}>
    {steps.map(({ when, what, amount, status }) => (
      <li
        key={when + what}
        data-status={status}
        aria-current={status === 'now' ? 'step' : undefined}
      >
        <p className="font-semibold">{when}</p>
        {amount && <p className={status === 'now' ? currentAmount : otherAmount}>{amount}</p>}
        <p className="col-start-1 text-sm text-muted">{what}</p>
      </li>
    ))}
  </ol>
);
