import type { ReactNode } from 'react';
import type { License } from '@/api';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { IllustratedPanel } from '@/components/Panel';
import type { Elements } from '@/lib/elements';
import { endedText, endedTitle } from '@/modules/billing/ended-text';
import { FuturePlan } from '@/modules/billing/FuturePlan';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { licensePlanName } from '@/modules/billing/plan-text';
import { useConfig } from '@/modules/config/config-store';
import { FirstPayment } from '@/modules/payments/FirstPayment';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { creditText } from '@/modules/payments/quote-text';
import { SubscribeAgain } from '@/modules/payments/SubscribeAgain';
import { CurrentPlan, type CurrentPlanProps } from './CurrentPlan';

type PlanCardProps = Omit<CurrentPlanProps, 'subscription'>;

/** The section of the plan with its actions, for every state of the plan. */
export function PlanCard(props: PlanCardProps) {
  const config = useConfig();
  const { user, billing } = props;
  const { license, pastLicense } = user;
  const { subscription } = billing;
  if (license?.isDev) return <DeveloperLicense plan={licensePlanName(license, config)} />;
  if (!license && user.order) return <PendingOrder order={user.order} />;
  const firstPayment = openPaymentOfKind(user.openPayment, 'first_payment');
  const isIncomplete = subscription?.status === 'incomplete';
  const isFirstProcessing = user.processing?.kind === 'first_payment';
  if (user.processing && (isIncomplete || (!subscription && isFirstProcessing))) {
    return <ProcessingPaymentNotice processing={user.processing} />;
  }
  if (isIncomplete || (!subscription && firstPayment)) {
    return <FirstPayment payment={firstPayment} />;
  }
  if (subscription) return <CurrentPlan {...props} subscription={subscription} />;
  if (pastLicense) return <EndedPlan {...props} license={pastLicense} />;
  return <FuturePlan user={user} />;
}

interface EndedPlanProps extends PlanCardProps {
  /** The last license of the organisation. */
  license: License;
}

function EndedPlan({ user, billing, license }: EndedPlanProps) {
  const config = useConfig();
  const credit = creditText(billing.credit, config, { planEnds: true });
  return (
    <PlanPanel title={endedTitle(license, config)} picture={<Calendar className="w-52" />}>
      <p className="mt-3 empty:hidden">{endedText(license, config)}</p>
      {user.processing && <ProcessingPaymentNotice processing={user.processing} className="mt-4" />}
      {!openPaymentOfKind(user.openPayment, 'owed') && !user.processing && (
        <p className="mt-3 text-muted">Nothing is charged any more.</p>
      )}
      {credit && <p className="figures mt-2">{credit}</p>}
      {!user.processing && <SubscribeAgain user={user} license={license} />}
    </PlanPanel>
  );
}

interface PlanPanelProps {
  title: string;
  picture?: ReactNode;
  children: Elements;
}

const PlanPanel = ({
  title,
  picture = <WaitingRoom className="w-72" />,
  children,
}: PlanPanelProps) => (
  <IllustratedPanel aria-labelledby="plan" picture={picture}>
    <h2 id="plan" className="text-xl">
      {title}
    </h2>
    {children}
  </IllustratedPanel>
);

const DeveloperLicense = ({ plan }: { plan: string }) => (
  <PlanPanel title={plan}>
    <p className="mt-3 text-muted">
      This developer licence was granted to your organisation. Nothing is charged for it.
    </p>
  </PlanPanel>
);
