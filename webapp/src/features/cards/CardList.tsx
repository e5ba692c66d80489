import type { UseQueryResult } from '@tanstack/react-query';
import type { Card } from '@/api';
import { Button } from '@/components/Button';
import { SmallCard } from '@/components/illustrations/SmallCard';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { providerMethodNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { CardRow } from './CardRow';
import type { CardActions } from './use-card-actions';

/** Where the customer enters a card or another payment method. */
export type MethodEntry = 'card_panel' | 'method_page' | 'payment_page';

interface CardListProps {
  cardsResult: UseQueryResult<Card[]>;
  /** Null if there is no default card; undefined while the default card is unknown. */
  defaultCardId: string | null | undefined;
  /** The text about what the default card is used for; may be empty. */
  usage: string;
  /** Null if the user may not change the cards. */
  actions: CardActions | null;
  /** Loads the cards again after a failure. */
  retry: () => Promise<void>;
  entry: MethodEntry;
}

/** The id of the heading that names the list. */
export const listHeadingId = 'saved';

/** The list of saved cards with its loading, empty and failed states. */
export function CardList(props: CardListProps) {
  const { cardsResult, defaultCardId, usage, actions, retry, entry } = props;
  const noun = providerMethodNoun(useConfig());
  if (cardsResult.isPending) return <CardListSkeleton noun={noun} />;
  if (cardsResult.isError) return <CardListFailure noun={noun} retry={retry} />;
  if (cardsResult.data.length === 0) {
    return <EmptyList text={actions ? emptyTexts[entry] : `No ${noun} is saved yet.`} />;
  }
  const isDefaultUnknown = defaultCardId === undefined;
  return (
    <>
      {isDefaultUnknown && <UnknownDefaultNotice noun={noun} retry={retry} />}
      <ul aria-labelledby={listHeadingId} className="divide-y divide-line">
        {cardsResult.data.map((card) => (
          <CardRow
            key={card.id}
            card={card}
            isDefault={card.id === defaultCardId}
            usage={card.id === defaultCardId ? usage : ''}
            actions={isDefaultUnknown ? null : actions}
          />
        ))}
      </ul>
    </>
  );
}

interface CardListFailureProps {
  /** 'card' or 'payment method'. */
  noun: string;
  retry: () => Promise<void>;
}

const UnknownDefaultNotice = ({ noun, retry }: CardListFailureProps) => (
  <div className="py-4">
    <Notice tone="attention" title={`We could not find out which ${noun} is your default`}>
      <p>{`Your ${noun}s can't be changed or deleted until we know.`}</p>
    </Notice>
    <Button variant="secondary" className="mt-4" onClick={() => void retry()}>
      Try again
    </Button>
  </div>
);

const CardListSkeleton = ({ noun }: Pick<CardListFailureProps, 'noun'>) => (
  <div role="status" className="py-3">
    <span className="sr-only">{`Loading your ${noun}s...`}</span>
    <Skeleton className="h-11" />
  </div>
);

const emptyTexts: Record<MethodEntry, string> = {
  card_panel: 'Open “Add card” to save the first one. Nothing is charged for it.',
  method_page: 'Save the first one on our payment provider’s page. Nothing is charged for it.',
  payment_page: 'Your payment method is saved when you pay on our payment provider’s page.',
};

const EmptyList = ({ text }: { text: string }) => (
  <div className="py-6 text-center">
    <SmallCard className="mx-auto mb-4 w-20" />
    <p className="font-semibold">No records found</p>
    <p className="mt-1 text-balance text-muted">{text}</p>
  </div>
);

const CardListFailure = ({ noun, retry }: CardListFailureProps) => (
  <LoadFailure className="py-4" retry={() => void retry()}>
    {`Your ${noun}s could not be loaded. They are still saved.`}
  </LoadFailure>
);
