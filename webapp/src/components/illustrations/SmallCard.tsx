import { Drawing, drawingClass } from './Drawing';

/** A payment card, shown in place of an empty list of cards. */
export const SmallCard = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 8 96 80" className={className}>
    <rect className={drawingClass.faintShape} x="22" y="14" width="66" height="44" rx="7" />
    <rect className={drawingClass.shape} x="8" y="30" width="70" height="48" rx="7" />
    <path className={drawingClass.line} d="M8 44h70" />
    <path className={drawingClass.faint} d="M18 66h14" />
    <path className={drawingClass.accent} d="M56 66h12M62 60v12" />
  </Drawing>
);
