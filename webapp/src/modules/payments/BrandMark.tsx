import { CreditCard, Landmark, type LucideIcon, Wallet } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { PaidMethod } from '@/api';
import { logFailure } from '@/lib/log';
import { isKnownBrand } from '@/rules/method-names';

interface BrandMarkProps {
  brand: string;
  /** Absent for a card. */
  kind?: PaidMethod['kind'];
  /** Whether the mark is small, for a row of marks. */
  small?: boolean;
}

/** The decorative mark of a card brand, or of the kind of another payment method. */
export function BrandMark({ brand, kind, small }: BrandMarkProps) {
  const frameClass = `shrink-0 border border-line ${small ? 'h-5 w-8 rounded-[4px]' : 'h-7 w-11 rounded-[5px]'}`;
  if (kind)
    return <FramedIcon Icon={kind === 'bank_debit' ? Landmark : Wallet} frameClass={frameClass} />;
  const mark = Object.hasOwn(marks, brand) && marks[brand];
  if (!mark) return <PlainCard brand={brand} frameClass={frameClass} />;
  return (
    <svg aria-hidden="true" viewBox="0 0 44 28" className={frameClass}>
      {mark}
    </svg>
  );
}

/** Draws letters as paths on a background, because the fonts of browsers differ. */
const drawLetters = (background: string, d: string, transform?: string) => (
  <>
    <rect width="44" height="28" fill={background} />
    <path d={d} transform={transform} fill="none" stroke="#ffffff" strokeWidth="2.2" />
  </>
);

const marks: Readonly<Record<string, ReactNode>> = {
  visa: drawLetters(
    '#1a1f71',
    'M11 9.5l2.800 8 5-8M22 9.500v9M31 10.800q-1.200-1.200-3-1.200-2.600 0-2.600 2.100 0 1.700 2.800 2.300 2.800.6 2.800 2.400 0 2.100-2.900 2.100-2.200 0-3.300-1.300M33 18.500l4-9 4 9M34.500 15.600h5',
    'translate(-1.500) skewX(-10)',
  ),
  amex: drawLetters(
    '#006098',
    'M5 18.500l3.500-9 3.500 9M6.300 15.600h4.500M14.500 18.500v-8l3.800 5.500 3.800-5.500v8M30.500 9.800h-5v8.500h5M25.500 14h4.500M32.500 9.500l6.500 9M39 9.500l-6.500 9',
  ),
  mastercard: (
    <>
      <rect width="44" height="28" fill="#1b1b1b" />
      <circle cx="17.500" cy="14" r="8" fill="#eb001b" />
      <circle cx="26.500" cy="14" r="8" fill="#f79e1b" />
      <path d="M22 7.390a8 8 0 0 1 0 13.220a8 8 0 0 1 0-13.220z" fill="#ff5f00" />
    </>
  ),
};

/** The icon of a card brand without a mark. Logs an unknown brand. */
function PlainCard({ brand, frameClass }: { brand: string; frameClass: string }) {
  useEffect(() => {
    if (brand !== '' && !isKnownBrand(brand))
      logFailure('There is no icon for the card brand', brand);
  }, [brand]);
  return <FramedIcon Icon={CreditCard} frameClass={frameClass} />;
}

const FramedIcon = ({ Icon, frameClass }: { Icon: LucideIcon; frameClass: string }) => (
  <span className={`${frameClass} flex items-center justify-center bg-paper text-muted`}>
    <Icon aria-hidden size={20} />
  </span>
);
