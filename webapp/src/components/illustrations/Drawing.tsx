import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';

interface DrawingProps {
  viewBox: string;
  className?: string;
  children: ReactNode;
}

/** The frame of a decorative line drawing in the colours of the page. */
export const Drawing = ({ viewBox, className, children }: DrawingProps) => (
  <svg
    aria-hidden="true"
    viewBox={viewBox}
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={cx(
      'h-auto max-w-full *:[vector-effect:non-scaling-stroke] [&_g_*]:[vector-effect:non-scaling-stroke]',
      className,
    )}
  >
    {children}
  </svg>
);

/** The classes of lines and shapes. */
export const drawingClass = {
  line: 'fill-none stroke-ink',
  faint: 'fill-none stroke-control-line',
  accent: 'fill-none stroke-brand',
  shape: 'fill-surface stroke-ink',
  faintShape: 'fill-surface stroke-control-line',
  soft: 'fill-brand-soft stroke-ink',
  screen: 'fill-brand-soft',
  dot: 'fill-brand stroke-ink',
  solid: 'fill-ink stroke-ink',
};

/** A chair of the waiting room, 64 units wide and 96 units high. */
export const Chair = ({ x, y }: { x: number; y: number }) => (
  <g transform={`translate(${x} ${y})`} className={drawingClass.faintShape}>
    <path d="M10 62v34M54 62v34" />
    <rect x="6" width="52" height="44" rx="9" />
    <rect y="52" width="64" height="13" rx="6" />
  </g>
);
