import { Drawing, look } from './Drawing';

/** A receipt, for lists without invoices. */
export const SmallReceipt = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 0 96 96" className={className}>
    <path className={look.shape} d="M24 8h48v78l-8-5-8 5-8-5-8 5-8-5-8 5z" />
    <path className={look.faint} d="M34 26h28M34 38h28M34 50h14" />
    <path className={look.accent} d="m50 62 5 5 9-10" />
  </Drawing>
);
