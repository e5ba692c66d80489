import { codes, folder } from 'virtual:currency-flags';

/** Width and height in pixels. */
const sizes = { sm: [16, 10], md: [24, 16], lg: [36, 24], xl: [48, 32] } as const;

/** The aspect ratio of flags. It determines the second dimension when only one is given. */
const ratio = 1.6;

const knownCodes = new Set(codes.split(' '));

interface CurrencyFlagProps {
  /** Three letters in either case. An unknown code shows the fallback picture. */
  code: string;
  size?: keyof typeof sizes;
  /** The dimensions in pixels, instead of `size`. If only one is given, the aspect ratio determines the other. */
  width?: number;
  height?: number;
  /** The text alternative; not needed beside the currency code. */
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
  const [pixelWidth, pixelHeight] = dimensionsOf(sizes[size], width, height);
  return (
    <img
      src={`${folder}/${knownCodes.has(name) ? name : 'fallback'}.png`}
      width={pixelWidth}
      height={pixelHeight}
      alt={alt}
      className={className}
    />
  );
}

function dimensionsOf(preset: readonly [number, number], width?: number, height?: number) {
  if (width !== undefined) return [width, height ?? Math.round(width / ratio)];
  return height === undefined ? preset : [Math.round(height * ratio), height];
}
