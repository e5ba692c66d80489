import { TriangleAlertIcon } from '@/components/icons';
import { HoldText } from '@/modules/billing/HoldText';

/** The banner for an organisation on hold. `contact` is the email address to write to. */
export const HoldBanner = ({ contact }: { contact: string }) => (
  <section
    aria-label="Disputed payment"
    className="flex items-center gap-x-3 rounded-control bg-attention-soft px-4 py-3 text-attention forced-colors:border"
  >
    <TriangleAlertIcon className="hidden shrink-0 sm:block" />
    <p className="min-w-0 break-words">
      <HoldText contact={contact} />
    </p>
  </section>
);
