import type { Config } from '@/api';
import { paths, routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';
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
  const { openPayment } = user;
  if (openPayment) {
    return screenShowsPayment(pathname, user, config) ? null : (
      <OpenPaymentBanner payment={openPayment} currentPlan={user.license?.raw.metadata.name} />
    );
  }
  if (!user.hold || screenShowsHold(pathname, user, config)) return null;
  return <HoldBanner contact={config.contact.email} />;
}

/**
 * Whether the screen at this path reports the open payment. The dashboard does not report the owed invoice of a former plan
 * beside a current plan. Without the capability `billing` it reports only a first payment, in place of the plan.
 */
function screenShowsPayment(
  pathname: string,
  { openPayment, license }: User,
  config: Config,
): boolean {
  if (!openPayment || pathname === routes.pay) return true;
  if (pathname === routes.confirm) return openPayment.kind === 'plan_change';
  if (pathname === routes.payment) return openPayment.kind === 'authentication';
  if (pathname === routes.dash) {
    if (can(config, 'billing')) return openPayment.kind !== 'owed' || !license;
    return openPayment.kind === 'first_payment' && !license;
  }
  return pathname === paths.invoice(openPayment.invoiceId);
}

/** Whether the screen at this path reports the disputed payment. */
function screenShowsHold(pathname: string, user: User, config: Config): boolean {
  if (pathname === routes.dash) return can(config, 'billing') && Boolean(user.license?.hold);
  return pathname === routes.confirm || pathname === routes.payment;
}
