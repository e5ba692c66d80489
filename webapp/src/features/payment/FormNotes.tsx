import { Lock } from 'lucide-react';

/** The amounts that the button above charges. Reserves their place while they load, when they are empty. */
export const ButtonEffect = ({ children }: { children: string }) => (
  <p className="figures min-h-5.25 text-center text-sm text-muted">{children}</p>
);

/** The note at the end of a form about who sees the payment details. */
export const SecurityNote = ({ isStripe, children }: { isStripe?: boolean; children: string }) => (
  <p className="flex gap-2 border-t border-line pt-4 text-sm text-muted">
    <Lock aria-hidden size={18} className="mt-0.5 shrink-0" />
    <span>
      {isStripe && <strong className="font-semibold">Secured by Stripe. </strong>}
      <span>{children}</span>
    </span>
  </p>
);
