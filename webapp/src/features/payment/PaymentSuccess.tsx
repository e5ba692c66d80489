import { useEffect, useRef } from 'react';
import { DoneIcon } from '@/ui/icons';

/** The moment after a payment went through, while the visitor is being logged out. */
export function PaymentSuccess() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div role="status" className="page max-w-xl py-16 text-center">
      <DoneIcon size={56} className="mx-auto text-success" />
      <h1 ref={heading} tabIndex={-1} className="mt-4 text-2xl sm:text-3xl">
        Subscription update, success!
      </h1>
      <p className="mt-3 text-lg text-muted">Logging you out... please wait and login again!</p>
    </div>
  );
}
