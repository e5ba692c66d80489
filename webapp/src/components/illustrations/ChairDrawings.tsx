import type { Elements } from '@/lib/elements';
import { Drawing, drawingClass } from './Drawing';

interface ChairDrawingProps {
  /** Whether the drawing shows the front chair only, to fill a narrow column. */
  closeUp?: boolean;
  className?: string;
}

/** An invoice on a chair of the waiting room, for payments. */
export const Receipt = (props: ChairDrawingProps) => (
  <ChairDrawing {...props}>
    <path className={drawingClass.soft} d="M12-8h48v90l-6-5-6 5-6-5-6 5-6-5-6 5-6-5-6 5z" />
    <path className={drawingClass.line} d="M22 8h28M22 22h28M22 36h14" />
    <path className={drawingClass.accent} d="M40 54h11" />
  </ChairDrawing>
);

/** A calendar on a chair of the waiting room, for changes of the plan. */
export const Calendar = (props: ChairDrawingProps) => (
  <ChairDrawing {...props}>
    <rect className={drawingClass.soft} x="2" y="6" width="68" height="80" rx="8" />
    <path className={drawingClass.line} d="M2 28h68M22-2v16M50-2v16" />
    <path className={drawingClass.faint} d="M14 42h9M31 42h9M48 42h9M14 55h9" />
    <path className={drawingClass.accent} d="M31 55h9" />
  </ChairDrawing>
);

/** A letter on a chair of the waiting room, for emails. */
export const Letter = (props: ChairDrawingProps) => (
  <ChairDrawing {...props}>
    <path className={drawingClass.shape} d="M8 34V10q0-4 4-4h48q4 0 4 4v24" />
    <path className={drawingClass.faint} d="M18 16h36M18 24h22" />
    <rect className={drawingClass.soft} x="-2" y="28" width="76" height="54" rx="6" />
    <path className={drawingClass.line} d="m0 32 32 26q4 3 8 0l32-26" />
    <circle className={drawingClass.dot} cx="74" cy="28" r="7" />
  </ChairDrawing>
);

/** A drawing of two chairs on a line. The children are drawn on the front chair. */
const ChairDrawing = ({
  closeUp,
  className,
  children,
}: ChairDrawingProps & { children: Elements }) => (
  <Drawing viewBox={closeUp ? '68 32 124 138' : '0 32 200 138'} className={className}>
    <path className={drawingClass.faint} d="M4 168h192" />
    <g transform="translate(14 74)" className={drawingClass.faintShape}>
      <path d="M6 64v30M42 64v30" />
      <rect x="2" y="4" width="44" height="42" rx="8" />
      <rect x="-4" y="54" width="56" height="13" rx="6" />
    </g>
    <g transform="translate(92 44)">
      <path className={drawingClass.line} d="M14 92v32M58 92v32" />
      <rect className={drawingClass.shape} x="4" y="20" width="64" height="56" rx="10" />
      {children}
      <rect className={drawingClass.shape} x="-4" y="80" width="80" height="16" rx="8" />
    </g>
  </Drawing>
);
