import { cx } from '@/lib/cx';

export interface Step {
  /** The date or the name of the step. */
  title: string;
  text: string;
  amount?: string;
  /** Past steps are filled, and the current one is emphasised. */
  status?: 'done' | 'current';
}

interface StepsProps {
  steps: Step[];
  /** Whether the steps are beside each other where they fit. */
  horizontal?: boolean;
  /** Whether the amount of the current step is larger than all others of the screen. */
  large?: boolean;
}

const currentAmountClass = 'amount font-heading';
const amountClass = 'figures font-semibold whitespace-nowrap';

/** Steps such as charges with their dates, as dots on a line. Amounts are at the right. */
export const Steps = ({ steps, horizontal, large }: StepsProps) => (
  <ol className={cx('step-list', horizontal && 'step-list-horizontal')}>
    {steps.map(({ title, text, amount, status }) => (
      <li
        key={title + text}
        data-status={status}
        aria-current={status === 'current' ? 'step' : undefined}
      >
        <p className="font-semibold">{title}</p>
        {amount && (
          <p
            className={
              status === 'current'
                ? cx(currentAmountClass, large ? '-mt-1 text-2xl leading-6' : 'text-xl')
                : amountClass
            }
          >
            {amount}
          </p>
        )}
        <p className="col-start-1 text-sm text-muted">{text}</p>
      </li>
    ))}
  </ol>
);
