import { CreditCard } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { Card } from '@/api';
import { cardName, expiry, isKnownBrand, maskedNumber } from '@/lib/card-text';
import { logFailure } from '@/lib/log';
import { Badge } from './Badge';

interface SavedCardProps {
  card: Card;
  isDefault: boolean;
  /** Actions, shown at the right end. */
  children?: ReactNode;
}

/** A saved card in one line: its brand, the last four digits, the expiry, the badge. */
export function SavedCard({ card, isDefault, children }: SavedCardProps) {
  return (
    <div className="flex min-h-11 items-center gap-3 sm:gap-4">
      <BrandMark brand={card.card.brand} />
      <div className="@container figures min-w-0 grow">
        <div className="flex flex-wrap items-center gap-x-3">
          <p className="flex flex-wrap items-center gap-x-3 font-semibold">
            <span aria-hidden className={card.label ? 'wrap-anywhere' : undefined}>
              {maskedNumber(card)}
            </span>
            <span className="sr-only">{cardName(card)}</span>
            {isDefault && <Badge>Default</Badge>}
          </p>
          <p className="text-sm text-muted @min-[20rem]:ml-auto">{expiry(card)}</p>
        </div>
      </div>
      {children}
    </div>
  );
}

const frame = 'h-7 w-11 shrink-0 rounded-[5px] border border-line';

/** The decorative logo of a card brand. */
export function BrandMark({ brand }: { brand: string }) {
  switch (brand) {
    case 'visa':
      return <TextLogo text="VISA" background="#1a1f71" italic />;
    case 'amex':
      return <TextLogo text="AMEX" background="#006098" />;
    case 'mastercard':
      return <MastercardLogo />;
    default:
      return <PlainCard brand={brand} />;
  }
}

/** The icon of other payment methods and of brands without a logo; logs unknown brands. */
function PlainCard({ brand }: { brand: string }) {
  useEffect(() => {
    if (brand !== '' && !isKnownBrand(brand))
      logFailure('There is no icon for the card brand', brand);
  }, [brand]);
  return (
    <span className={`${frame} flex items-center justify-center bg-paper text-muted`}>
      <CreditCard aria-hidden size={20} />
    </span>
  );
}

function TextLogo({
  text,
  background,
  italic,
}: {
  text: string;
  background: string;
  italic?: boolean;
}) {
  return (
    <svg aria-hidden="true" viewBox="0 0 44 28" className={frame}>
      <rect width="44" height="28" rx="5" fill={background} />
      <text
        x="22"
        y="18.500"
        textAnchor="middle"
        fontSize="12.500"
        fontWeight="700"
        fontFamily="Arial, sans-serif"
        fontStyle={italic ? 'italic' : undefined}
        textLength="32"
        fill="#ffffff"
      >
        {text}
      </text>
    </svg>
  );
}

function MastercardLogo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 44 28" className={frame}>
      <rect width="44" height="28" rx="5" fill="#1b1b1b" />
      <circle cx="17.500" cy="14" r="8" fill="#eb001b" />
      <circle cx="26.500" cy="14" r="8" fill="#f79e1b" />
      <path d="M22 7.390a8 8 0 0 1 0 13.220a8 8 0 0 1 0-13.220z" fill="#ff5f00" />
    </svg>
  );
}
