import type { ReactNode } from 'react';
import { useMedia } from '@/lib/use-media';
import { Card } from './Card';
import { ChevronDownIcon } from './icons';

interface SummaryPanelProps {
  label: string;
  /** The line of the collapsed panel: the plan, and the amount that is charged today. */
  collapsedLine: [plan: string, amountToday: string];
  children: ReactNode;
}

/** The summary of a purchase. It is a card on wide screens, and a line that expands on narrow ones. */
export function SummaryPanel({
  label,
  collapsedLine: [plan, amountToday],
  children,
}: SummaryPanelProps) {
  const isWide = useMedia('(min-width: 56rem)');
  if (isWide) {
    return (
      <Card aria-label={label} className="figures">
        {children}
      </Card>
    );
  }
  return (
    <details className="group figures rounded-card border border-line bg-surface">
      <summary className="flex min-h-14 flex-wrap items-center gap-x-3 px-4 py-2">
        <span className="font-semibold">{plan}</span>
        <span className="ml-auto text-muted">{amountToday}</span>
        <ChevronDownIcon size={16} className="group-open:rotate-180" />
      </summary>
      <div className="border-t border-line p-4">{children}</div>
    </details>
  );
}
