import { Chair, Drawing, drawingClass } from './Drawing';

interface WaitingRoomProps {
  /** Whether the drawing has no ground line, because the page has a line in that place. */
  hideGround?: boolean;
  className?: string;
}

/** A patient on a chair of the waiting room, and a clinician on a screen. */
export const WaitingRoom = ({ hideGround, className }: WaitingRoomProps) => (
  <Drawing viewBox="0 0 480 201" className={className}>
    {!hideGround && <path className={drawingClass.faint} d="M4 200h472" />}
    <path
      className={drawingClass.accent}
      d="M22 178v-24m0 12c-8 0-11-5-11-11 7 0 11 4 11 11zm0-8c0-8 5-12 12-12 0 8-5 12-12 12z"
    />
    <path className={drawingClass.shape} d="M11 178h22l-3 22H14z" />
    <circle className={drawingClass.shape} cx="148" cy="32" r="17" />
    <path className={drawingClass.line} d="M148 22v10l7 4" />
    <Chair x={48} y={104} />
    <Chair x={184} y={104} />
    <g className={drawingClass.faintShape}>
      <path d="M122 170v30M164 170v30" />
      <path d="M118 108c-4 0-7 3-6 7l6 46c1 3 3 5 6 5h40v-12h-33l-6-41c0-3-3-5-7-5z" />
    </g>
    <path
      className={drawingClass.shape}
      d="M134 146h36c6 0 9 4 9 9v36h7c5 0 6 3 6 9h-25v-34h-33c-6 0-9-4-9-10s3-10 9-10z"
    />
    <path
      className={drawingClass.soft}
      d="M129 150l-2-22c0-9 6-15 14-15s13 5 14 13l3 22c0 3-1 5-4 5h-20c-3 0-5-1-5-3z"
    />
    <path
      className={drawingClass.soft}
      d="M141 122c3 0 5 2 6 5l4 12 15 1c6 1 6 9 0 9h-18c-3 0-6-2-7-5l-5-14c-1-4 1-8 5-8z"
    />
    <path
      className={drawingClass.shape}
      d="M170 126l9 3-5 17-9-3zM138 113v-6h10v6c0 2-10 2-10 0z"
    />
    <circle className={drawingClass.shape} cx="144" cy="97" r="12" />
    <path
      className={drawingClass.solid}
      d="M133 100c-3-11 4-17 12-17 6 0 11 4 11 9-8 2-13 0-16-3 0 5-2 9-7 11z"
    />
    <rect className={drawingClass.shape} x="280" y="40" width="176" height="118" rx="10" />
    <rect className={drawingClass.screen} x="288" y="48" width="160" height="102" rx="5" />
    <path className={drawingClass.line} d="M368 158v42M340 200h56" />
    <path className={drawingClass.shape} d="M332 150v-16c0-19 15-30 36-30s36 11 36 30v16" />
    <path className={drawingClass.line} d="M352 108l16 20 16-20" />
    <circle className={drawingClass.shape} cx="368" cy="82" r="19" />
    <path className={drawingClass.accent} d="M354 112v14c0 12 18 12 18 22" />
    <circle className={drawingClass.dot} cx="372" cy="149" r="4" />
    <rect className={drawingClass.shape} x="408" y="56" width="34" height="28" rx="4" />
    <circle className={drawingClass.soft} cx="425" cy="66" r="4.500" />
    <path className={drawingClass.soft} d="M416 84c0-6 4-10 9-10s9 4 9 10z" />
    <path className={drawingClass.accent} strokeDasharray="1 7" d="M256 96h20" />
  </Drawing>
);
