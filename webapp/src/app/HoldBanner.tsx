import { TriangleAlertIcon } from '@/components/icons';
import { HoldText } from '@/modules/billing/HoldText';

/** The banner for an organisation on hold. `contact` is the email address to write to. */
export const HoldBanner = ({ contact }: { contact: string }) => (
  <section
    aria-label="Disputed payment"
    className="border-b border-line bg-attention-soft text-attention"
  >
    <div className="page flex items-center gap-x-3 py-2">
      <TriangleAlertIcon className="hidden shrink-0 sm:block" />
      <p className="min-w-0 break-words">
        <HoldText contact={contact} />
      </p>
    </div>
  </section>
);
