export interface ChargeStep {
  /** The date or the name of the step. */
  when: string;
  what: string;
  amount?: string;
  /** Past steps are filled, and the current one is emphasised. */
  status?: 'done' | 'now';
}

/** What is charged when, or the steps to a plan: dots on a line, with amounts at the right. */
export const ChargeSteps = ({ steps, className }: { steps: ChargeStep[]; className?: string }) => (
  <ol className={`charge-steps ${className ?? ''}`}>
    {steps.map(({ when, what, amount, status }) => (
      <li key={when + what} data-status={status}>
        <p className="font-semibold">{when}</p>
        {amount && <p className="amount font-semibold">{amount}</p>}
        <p className="col-start-1 text-sm text-muted">{what}</p>
      </li>
    ))}
  </ol>
);
