import { codes, folder } from 'virtual:currency-flags';

/** Width and height in pixels. */
const sizes = { sm: [16, 10], md: [24, 16], lg: [36, 24], xl: [48, 32] } as const;

/** The aspect ratio of flags, for when only one size is given. */
const ratio = 1.6;

const knownCodes = new Set(codes.split(' '));

interface CurrencyFlagProps {
  /** Three letters, in either case; an unknown code gets the fallback picture. */
  code: string;
  size?: keyof typeof sizes;
  /** In pixels, instead of `size`; a missing one follows from the other. */
  width?: number;
  height?: number;
  /** Needed only without the currency code beside it. */
  alt?: string;
  className?: string;
}

/** The flag of a currency. */
export function CurrencyFlag({
  code,
  size = 'md',
  width,
  height,
  alt = '',
  className,
}: CurrencyFlagProps) {
  const name = code.toLowerCase();
  const [w, h] = dimensions(sizes[size], width, height);
  return (
    <img
      src={`${folder}/${knownCodes.has(name) ? name : 'fallback'}.png`}
      width={w}
      height={h}
      alt={alt}
      className={className}
    />
  );
}

function dimensions(preset: readonly [number, number], width?: number, height?: number) {
  if (width === undefined && height === undefined) return preset;
  const w = width ?? Math.round((height ?? 0) * ratio);
  return [w, height ?? Math.round(w / ratio)];
}
