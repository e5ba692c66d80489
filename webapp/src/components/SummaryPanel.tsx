import type { Elements } from '@/lib/elements';
import { useMedia } from '@/lib/use-media';
import { Card } from './Card';
import { ChevronDownIcon } from './icons';

interface SummaryPanelProps {
  label: string;
  /** What the customer buys. It is always visible. */
  heading: Elements;
  /** The line of the collapsed panel. `amount` is the amount that is charged today; empty without one. */
  collapsedLine: [price: string, amount: string, text: string];
  children: Elements;
}

/** The summary of a purchase. Narrow screens show the charges in an expandable line, which is open on tablets. */
export function SummaryPanel({
  label,
  heading,
  collapsedLine: [price, amount, text],
  children,
}: SummaryPanelProps) {
  const isWide = useMedia('(min-width: 56rem)');
  const isPhone = !useMedia('(min-width: 40rem)');
  if (isWide) {
    return (
      <Card aria-label={label} className="figures">
        {heading}
        {children}
      </Card>
    );
  }
  return (
    <section
      aria-label={label}
      className="figures rounded-card border border-line bg-surface px-4 pt-3"
    >
      {heading}
      <details className="group" open={!isPhone}>
        <summary className="flex min-h-11 flex-wrap items-center gap-x-3 py-1.5">
          <span className="text-sm font-semibold">{price}</span>
          <span className="ml-auto flex items-center gap-x-3">
            <span className="flex flex-wrap items-baseline gap-x-1.5">
              <span className="amount text-xl font-heading empty:hidden">{amount}</span>
              <span className="text-sm text-muted">{text}</span>
            </span>
            <ChevronDownIcon size={16} className="group-open:rotate-180 shrink-0" />
          </span>
        </summary>
        <div className="border-t border-line py-4">{children}</div>
      </details>
    </section>
  );
}
