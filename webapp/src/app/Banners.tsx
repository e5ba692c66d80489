import type { Config } from '@/api';
import { routes } from '@/lib/paths';
import type { User } from '@/lib/session-store';
import { HoldBanner } from './HoldBanner';
import { OpenPaymentBanner } from './OpenPaymentBanner';

interface BannersProps {
  user: User;
  config: Config;
  pathname: string;
}

/** The banners about a disputed and an open payment, except on screens that say it themselves. */
export function Banners({ user, config, pathname }: BannersProps) {
  return (
    <>
      {user.hold && !saysHold(pathname, user) && <HoldBanner contact={config.contact.email} />}
      {user.openPayment && pathname !== routes.pay && (
        <OpenPaymentBanner open={user.openPayment} config={config} />
      )}
    </>
  );
}

function saysHold(pathname: string, user: User): boolean {
  if (pathname === routes.billing) return Boolean(user.license?.hold);
  return pathname === routes.confirm || pathname === routes.payment;
}
