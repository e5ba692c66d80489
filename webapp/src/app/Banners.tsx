import { routes } from '@/lib/paths';
import { useConfig } from '@/modules/config/config-store';
import type { User } from '@/modules/session/session-store';
import { HoldBanner } from './HoldBanner';
import { OpenPaymentBanner } from './OpenPaymentBanner';

interface BannersProps {
  user: User;
  pathname: string;
}

/**
 * Shows the banner about an open payment or, if there is none, about a disputed payment. An open payment takes
 * precedence, because the organisation can act on it. Screens that report the payment themselves have no banner.
 */
export function Banners({ user, pathname }: BannersProps) {
  const config = useConfig();
  if (user.openPayment && pathname !== routes.pay) {
    return <OpenPaymentBanner payment={user.openPayment} />;
  }
  if (!user.hold || screenShowsHold(pathname, user)) return null;
  return <HoldBanner contact={config.contact.email} />;
}

/** Whether the screen at this path reports the disputed payment. */
function screenShowsHold(pathname: string, user: User): boolean {
  if (pathname === routes.billing) return Boolean(user.license?.hold);
  return pathname === routes.confirm || pathname === routes.payment;
}
