import type { Card, Config, OverduePayment } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { kindNoun, methodNoun, methodText } from '@/modules/billing/method-text';

/** The message of the cards screen after an action. */
export interface CardsMessage {
  tone: 'success' | 'attention' | 'danger';
  title?: string;
  text: string;
  /** Whether to link to the pay screen, because an invoice is still open. */
  isInvoiceOpen?: boolean;
  /** Whether to link to the invoices, because an invoice was paid. */
  isInvoicePaid?: boolean;
}

/** The state of a card after an overdue invoice was charged to it. */
export interface CardOutcome {
  card: Card;
  /** Whether the card was just added. */
  isNew: boolean;
  /** False when the server removed the card again because the payment failed. */
  isSaved: boolean;
  isDefault: boolean;
}

/** Returns a text such as 'Visa •••• 4242 was added and is your default card now.' */
function cardText({ card, isNew, isSaved, isDefault }: CardOutcome): string {
  const name = methodText(card);
  if (!isSaved) return `${name} was not saved.`;
  if (isNew)
    return `${name} was added${isDefault ? ` and is your default ${methodNoun(card)} now` : ''}.`;
  return isDefault ? `${name} is your default ${methodNoun(card)} now.` : `${name} is saved.`;
}

/** Returns the message about the card and the invoice that was charged to it. */
export function overduePaymentMessage(
  outcome: CardOutcome,
  overduePayment: Pick<OverduePayment, 'status' | 'message' | 'amount' | 'currency'>,
  config: Config,
): CardsMessage {
  const amount = amountText(config, overduePayment);
  const card = cardText(outcome);
  switch (overduePayment.status) {
    case 'paid':
      return {
        tone: 'success',
        text: `${card} Your overdue invoice of ${amount} was paid.`,
        isInvoicePaid: true,
      };
    case 'requires_action':
      return {
        tone: 'attention',
        text: `${card} Your bank wants you to approve the payment of ${amount}.`,
      };
    case 'processing':
      return {
        tone: 'attention',
        text: `${card} The payment of your invoice of ${amount} is on its way.`,
      };
    case 'declined':
    case 'failed':
      return {
        tone: 'danger',
        title: overduePayment.message || `Your ${kindNoun(outcome.card)} was declined.`,
        text: `Your invoice of ${amount} is still open. ${card}`,
        isInvoiceOpen: true,
      };
  }
}
