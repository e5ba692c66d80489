import type { Card } from '@/api';
import { Badge } from '@/components/Badge';
import type { Elements } from '@/lib/elements';
import { expiryText, expiryWarning, maskedNumber, methodName } from '@/modules/billing/method-text';
import { useServerTime } from '@/modules/session/dates';
import { BrandMark } from './BrandMark';

interface SavedCardProps {
  card: Card;
  isDefault: boolean;
  /** A note about the use of the card, below its number, after a warning if the card expires. */
  note?: string;
  /** Actions, shown at the right end. */
  children?: Elements;
}

/**
 * A saved card in one line: the mark of its brand, the last four digits, the expiry, and a badge if it is the default. A
 * card that expires soon or has expired has a warning. Large text on a narrow screen is below the mark.
 */
export function SavedCard({ card, isDefault, note, children }: SavedCardProps) {
  const warning = expiryWarning(card, useServerTime());
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 sm:gap-x-4">
      <BrandMark brand={card.card.brand} kind={card.kind} />
      <div className="figures min-w-0 grow basis-[5.5rem]">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold">
          <span aria-hidden translate="no" className={card.label ? 'wrap-anywhere' : undefined}>
            {maskedNumber(card)}
          </span>
          <span className="sr-only">{methodName(card)}</span>
          {isDefault && <Badge>Default</Badge>}
        </p>
        <div className="flex flex-wrap gap-x-3 text-sm text-muted">
          <p className="empty:hidden">{expiryText(card)}</p>
          {(warning || note) && (
            <p className="min-w-0">
              {warning && <strong className="text-attention">{warning}</strong>}
              <span>{warning && note ? ` · ${note}` : note}</span>
            </p>
          )}
        </div>
      </div>
      {children}
    </div>
  );
}
