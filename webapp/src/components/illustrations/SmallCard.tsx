import { Drawing, look } from './Drawing';

/** A payment card, for lists without cards. */
export const SmallCard = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 8 96 80" className={className}>
    <rect className={look.faintShape} x="22" y="14" width="66" height="44" rx="7" />
    <rect className={look.shape} x="8" y="30" width="70" height="48" rx="7" />
    <path className={look.line} d="M8 44h70" />
    <path className={look.faint} d="M18 66h14" />
    <path className={look.accent} d="M56 66h12M62 60v12" />
  </Drawing>
);
