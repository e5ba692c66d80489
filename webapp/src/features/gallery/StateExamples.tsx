import { Badge } from '@/components/Badge';
import { ChargeDifference } from '@/components/ChargeDifference';
import {
  AlertIcon,
  AttentionIcon,
  CheckIcon,
  ChevronDownIcon,
  CrossIcon,
  DashIcon,
  DoneIcon,
  InfoIcon,
  MenuIcon,
  ShieldIcon,
} from '@/components/icons';
import { Call } from '@/components/illustrations/Call';
import { Calendar, Letter, Receipt } from '@/components/illustrations/Seats';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton, Loading, Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PaymentFailure } from '@/components/PaymentFailure';
import { failed } from '@/lib/payment/payment-types';
import { Example, Examples } from './Examples';

const badges = ['neutral', 'brand', 'success', 'attention', 'danger'] as const;
const notices = ['info', 'success', 'attention', 'danger'] as const;
const icons = [
  [CheckIcon, DashIcon, CrossIcon, MenuIcon, ChevronDownIcon],
  [ShieldIcon, InfoIcon, AlertIcon, DoneIcon, AttentionIcon],
].flat();

/** Messages, loading, and pictures. */
export const StateExamples = () => (
  <>
    <Examples title="Badges and notices">
      <Example name="badges">
        <p className="flex flex-wrap gap-2">
          {badges.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </p>
      </Example>
      {notices.map((tone) => (
        <Example key={tone} name={tone}>
          <Notice tone={tone} live={false} title="What has happened">
            <p>What follows from it, and what can be done.</p>
          </Notice>
        </Example>
      ))}
      <Example name="an amount that differs from its quote">
        <ChargeDifference>
          You were charged $332.10 AUD instead of the quoted $342.10 AUD.
        </ChargeDifference>
      </Example>
    </Examples>
    <Examples title="Loading and failures">
      <Example name="a screen">
        <Loading />
      </Example>
      <Example name="a card">
        <CardSkeleton className="h-56" />
      </Example>
      <Example name="a line">
        <Skeleton className="h-5" />
      </Example>
      <Example name="could not be loaded">
        <LoadFailure retry={() => {}}>Your invoices could not be loaded.</LoadFailure>
      </Example>
      <Example name="a declined payment">
        <PaymentFailure
          failure={{
            ...failed('Your card was declined.'),
            reason: 'Your card has insufficient funds.',
          }}
        />
      </Example>
      <Example name="a payment whose outcome is unknown">
        <PaymentFailure failure={{ ...failed('Network Error'), certain: false }} />
      </Example>
    </Examples>
    <Examples title="Pictures">
      <Example name="icons">
        <p className="flex flex-wrap gap-3">
          {icons.map((Icon, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <Icon key={index} />
          ))}
        </p>
      </Example>
      <Example name="waiting room">
        <WaitingRoom className="w-full" />
      </Example>
      <Example name="call">
        <Call className="w-full" />
      </Example>
      <Example name="receipt, calendar, letter">
        <div className="grid grid-cols-3 gap-4">
          <Receipt />
          <Calendar />
          <Letter />
        </div>
      </Example>
    </Examples>
  </>
);
