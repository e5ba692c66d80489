import { Mail as MailIcon } from 'lucide-react';
import { ChargeLine } from '@/components/ChargeLine';
import { BigAmount } from '@/modules/billing/BigAmount';
import type { NextStep } from './next-step';

/** Lists the events that come next for a plan, such as its next charge with the lines of the amount. */
export const NextSteps = ({ steps }: { steps: NextStep[] }) => (
  <div className="space-y-6">
    {steps.map(({ title, amount, format, text, lines = [], reminder }) => (
      <div key={title}>
        <h3 className="text-sm tracking-normal text-muted">{title}</h3>
        {amount && <BigAmount amount={amount} format={format} className="mt-1" />}
        <p className={amount ? undefined : 'mt-1'}>{text}</p>
        {lines.length > 0 && (
          <dl className="mt-4 space-y-2 border-t border-line pt-4 text-sm">
            {lines.map(([label, value]) => (
              <ChargeLine key={label} label={label}>
                {value}
              </ChargeLine>
            ))}
          </dl>
        )}
        {reminder && (
          <p className="mt-4 flex items-center gap-2 text-sm text-muted">
            <MailIcon aria-hidden size={16} className="shrink-0" />
            <span>{reminder}</span>
          </p>
        )}
      </div>
    ))}
  </div>
);
