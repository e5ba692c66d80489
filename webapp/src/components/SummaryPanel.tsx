import type { Elements } from '@/lib/elements';
import { useMedia } from '@/lib/use-media';
import { Card } from './Card';
import { ChevronDownIcon } from './icons';

interface SummaryPanelProps {
  label: string;
  /** What the customer buys. It is always visible. */
  heading: Elements;
  /** The line of the collapsed panel: the price, and the amount that is charged today. */
  collapsedLine: [price: string, amountToday: string];
  children: Elements;
}

/** The summary of a purchase. Narrow screens show its charges in a line that expands, which is open on tablets. */
export function SummaryPanel({
  label,
  heading,
  collapsedLine: [price, amountToday],
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
        <summary className="flex min-h-11 flex-wrap items-center gap-x-3">
          <span className="font-semibold">{price}</span>
          <span className="ml-auto text-muted">{amountToday}</span>
          <ChevronDownIcon size={16} className="group-open:rotate-180" />
        </summary>
        <div className="border-t border-line py-4">{children}</div>
      </details>
    </section>
  );
}
