import type { UseQueryResult } from '@tanstack/react-query';
import type { Card } from '@/api';
import { Button } from '@/components/Button';
import { SmallCard } from '@/components/illustrations/SmallCard';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { payingNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { CardRow } from './CardRow';
import type { CardActions } from './use-card-actions';

interface CardListProps {
  list: UseQueryResult<Card[]>;
  /** Null without a default card; undefined while it is not known which card is the default. */
  defaultCardId: string | null | undefined;
  /** What the default card is used for; empty for nothing. */
  usedFor: string;
  /** The server's time in milliseconds. */
  now: number;
  actions: CardActions;
  /** Loads the cards again after a failure. */
  retry: () => Promise<void>;
  /** How the customer adds a card or another payment method. */
  added: 'in the panel' | 'on the page' | 'by paying';
}

/** The id of the heading that names the list. */
export const savedHeading = 'saved';

/** The list of saved cards with its loading, empty and failed states. */
export function CardList(props: CardListProps) {
  const { list, defaultCardId, usedFor, now, actions, retry, added } = props;
  const noun = payingNoun(useConfig());
  if (list.isPending) return <Placeholder noun={noun} />;
  if (list.isError) return <Failure noun={noun} retry={retry} />;
  if (list.data.length === 0) return <Empty text={emptyTexts[added]} />;
  const defaultUnknown = defaultCardId === undefined;
  return (
    <>
      {defaultUnknown && <DefaultUnknown noun={noun} retry={retry} />}
      <ul aria-labelledby={savedHeading} className="divide-y divide-line">
        {list.data.map((card) => (
          <CardRow
            key={card.id}
            card={card}
            isDefault={card.id === defaultCardId}
            usedFor={card.id === defaultCardId ? usedFor : ''}
            now={now}
            actions={defaultUnknown ? null : actions}
          />
        ))}
      </ul>
    </>
  );
}

interface FailureProps {
  /** 'card' or 'payment method'. */
  noun: string;
  retry: () => Promise<void>;
}

const DefaultUnknown = ({ noun, retry }: FailureProps) => (
  <div className="py-4">
    <Notice tone="attention" title={`We could not find out which ${noun} is your default`}>
      <p>{`Your ${noun}s can't be changed or deleted until we know.`}</p>
    </Notice>
    <Button look="secondary" className="mt-4" onClick={() => void retry()}>
      Try again
    </Button>
  </div>
);

const Placeholder = ({ noun }: Pick<FailureProps, 'noun'>) => (
  <div role="status" className="py-3">
    <span className="sr-only">{`Loading your ${noun}s...`}</span>
    <Skeleton className="h-11" />
  </div>
);

const emptyTexts: Record<CardListProps['added'], string> = {
  'in the panel': 'Open “Add card” to save the first one. Nothing is charged for it.',
  'on the page': 'Save the first one on our payment provider’s page. Nothing is charged for it.',
  'by paying': 'Your payment method is saved when you pay on our payment provider’s page.',
};

const Empty = ({ text }: { text: string }) => (
  <div className="py-6 text-center">
    <SmallCard className="mx-auto mb-4 w-20" />
    <p className="font-semibold">No records found</p>
    <p className="mt-1 text-balance text-muted">{text}</p>
  </div>
);

const Failure = ({ noun, retry }: FailureProps) => (
  <LoadFailure className="py-4" retry={() => void retry()}>
    {`Your ${noun}s could not be loaded. They are still saved.`}
  </LoadFailure>
);
