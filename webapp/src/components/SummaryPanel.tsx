import type { ReactNode } from 'react';
import { useMedia } from '@/lib/use-media';
import { Card } from './Card';
import { ChevronDownIcon } from './icons';

interface SummaryPanelProps {
  label: string;
  /** The line of the collapsed panel: what is bought, and what is charged today. */
  line: [what: string, today: string];
  children: ReactNode;
}

/** Shows the consequences of a form beside it, and on a phone in a collapsed line above it. */
export function SummaryPanel({ label, line: [title, today], children }: SummaryPanelProps) {
  const wide = useMedia('(min-width: 56rem)');
  if (wide) {
    return (
      <Card aria-label={label} className="figures">
        {children}
      </Card>
    );
  }
  return (
    <details className="group figures rounded-card border border-line bg-surface">
      <summary className="flex min-h-14 flex-wrap items-center gap-x-3 px-4 py-2">
        <span className="font-semibold">{title}</span>
        <span className="ml-auto text-muted">{today}</span>
        <ChevronDownIcon size={16} className="group-open:rotate-180" />
      </summary>
      <div className="border-t border-line p-4">{children}</div>
    </details>
  );
}
