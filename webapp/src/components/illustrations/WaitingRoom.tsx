import { Chair, Drawing, look } from './Drawing';

/** A patient on a chair of the waiting room, and a clinician on a screen. */
export const WaitingRoom = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 0 480 201" className={className}>
    <path
      className={look.accent}
      d="M22 178v-24m0 12c-8 0-11-5-11-11 7 0 11 4 11 11zm0-8c0-8 5-12 12-12 0 8-5 12-12 12z"
    />
    <path className={look.shape} d="M11 178h22l-3 22H14z" />
    <circle className={look.shape} cx="148" cy="32" r="17" />
    <path className={look.line} d="M148 22v10l7 4" />
    <Chair x={48} y={104} />
    <Chair x={116} y={104} />
    <Chair x={184} y={104} />
    <path className={look.shape} d="M137 160h31c4 0 6 3 6 6v34h-11v-26h-12v26h-11v-32z" />
    <path className={look.soft} d="M132 162v-24c0-10 6-17 15-17s15 6 16 15l3 12-9 3 1 11z" />
    <path className={look.line} d="M141 138l6 16 18-1" />
    <rect
      className={look.shape}
      x="163"
      y="140"
      width="10"
      height="16"
      rx="2"
      transform="rotate(14 168 148)"
    />
    <circle className={look.shape} cx="150" cy="107" r="11" />
    <path className={look.line} d="M139 105c2-9 16-12 21-4" />
    <rect className={look.shape} x="280" y="40" width="176" height="118" rx="10" />
    <rect className={look.screen} x="288" y="48" width="160" height="102" rx="5" />
    <path className={look.line} d="M368 158v42M340 200h56" />
    <path className={look.shape} d="M332 150v-16c0-19 15-30 36-30s36 11 36 30v16" />
    <path className={look.line} d="M352 108l16 20 16-20" />
    <circle className={look.shape} cx="368" cy="82" r="19" />
    <path className={look.accent} d="M354 112v14c0 12 18 12 18 22" />
    <circle className={look.dot} cx="372" cy="149" r="4" />
    <rect className={look.shape} x="408" y="56" width="34" height="28" rx="4" />
    <circle className={look.soft} cx="425" cy="66" r="4.500" />
    <path className={look.soft} d="M416 84c0-6 4-10 9-10s9 4 9 10z" />
    <path className={look.accent} strokeDasharray="1 7" d="M256 96h20" />
  </Drawing>
);
