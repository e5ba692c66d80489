import { Notice } from '@/components/Notice';

/** Reports that the charge, or an invoice that is not paid yet, differs from its quote. */
export const QuoteDifferenceNotice = ({ children }: { children: string }) => (
  <Notice tone="attention" live={false} className="mt-6">
    <p>{children}</p>
  </Notice>
);
