import type { ReactNode } from 'react';
import type { Card } from '@/api';
import { Badge } from '@/ui/Badge';
import { BrandMark } from './BrandMark';
import { cardName, expiry, maskedNumber } from './card-words';

interface SavedCardProps {
  card: Card;
  isDefault: boolean;
  /** What can be done with it, at the right end. */
  children?: ReactNode;
}

/** A saved card in one line: its brand, the last four digits, the expiry, the badge. */
export function SavedCard({ card, isDefault, children }: SavedCardProps) {
  return (
    <div className="flex min-h-11 items-center gap-4">
      <BrandMark brand={card.card.brand} />
      <div className="figures flex min-w-0 grow flex-wrap items-center gap-x-3">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold">
          <span aria-hidden className="whitespace-nowrap">
            {maskedNumber(card)}
          </span>
          <span className="sr-only">{cardName(card)}</span>
          {isDefault && <Badge>Default</Badge>}
        </p>
        <p className="text-sm text-muted sm:ml-auto">{expiry(card)}</p>
      </div>
      {children}
    </div>
  );
}
