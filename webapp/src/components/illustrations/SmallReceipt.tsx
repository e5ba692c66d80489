import { Drawing, drawingClass } from './Drawing';

/** A receipt, shown in place of an empty list of invoices. */
export const SmallReceipt = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 0 96 96" className={className}>
    <path className={drawingClass.shape} d="M24 8h48v78l-8-5-8 5-8-5-8 5-8-5-8 5z" />
    <path className={drawingClass.faint} d="M34 26h28M34 38h28M34 50h14" />
    <path className={drawingClass.accent} d="m50 62 5 5 9-10" />
  </Drawing>
);
