import type { BillPayment, Card, Config } from '@/api';
import { cardName, kindNoun, methodNoun } from '@/modules/billing/card-text';
import { amountText } from '@/modules/billing/offer';

/** The message of the cards screen after an action. */
export interface CardsMessage {
  tone: 'success' | 'attention' | 'danger';
  title?: string;
  text: string;
  /** Whether a bill is still open, which can be paid on another screen. */
  open?: boolean;
  /** Whether a bill was paid, whose invoice is on another screen. */
  paid?: boolean;
}

/** The state of a card after an overdue bill was charged to it. */
export interface CardOutcome {
  card: Card;
  added: boolean;
  /** False when the server removed the card again because the payment failed. */
  saved: boolean;
  isDefault: boolean;
}

/** 'Visa ending in 4242 was added and is your default card now.' */
function cardText({ card, added, saved, isDefault }: CardOutcome): string {
  const name = cardName(card);
  if (!saved) return `${name} was not saved.`;
  if (added)
    return `${name} was added${isDefault ? ` and is your default ${methodNoun(card)} now` : ''}.`;
  return isDefault ? `${name} is your default ${methodNoun(card)} now.` : `${name} is saved.`;
}

/** Returns the message about the card and the bill that was charged to it. */
export function billMessage(
  outcome: CardOutcome,
  bill: Pick<BillPayment, 'status' | 'message' | 'amount' | 'currency'>,
  config: Config,
): CardsMessage {
  const amount = amountText(config, bill);
  const card = cardText(outcome);
  switch (bill.status) {
    case 'paid':
      return {
        tone: 'success',
        text: `${card} Your overdue bill of ${amount} was paid.`,
        paid: true,
      };
    case 'requires_action':
      return {
        tone: 'attention',
        text: `${card} Your bank wants you to approve the payment of ${amount}.`,
      };
    case 'processing':
      return {
        tone: 'attention',
        text: `${card} The payment of your bill of ${amount} is on its way.`,
      };
    case 'declined':
    case 'failed':
      return {
        tone: 'danger',
        title: bill.message || `Your ${kindNoun(outcome.card)} was declined.`,
        text: `Your bill of ${amount} is still open. ${card}`,
        open: true,
      };
  }
}
