import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Card, Customer, OverduePayment } from '@/api';
import { aCard } from '@/testing/card-provider';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { server } from '@/testing/server';

const cardsPath = '/vc-admin/org/customer/cards';

/** Serves a user with these saved cards; `serveList` changes the list later. */
export function serveCards(cards: Card[], defaultCardId: string | null = null): void {
  serveConfig();
  serveUser({}, { customer: { invoice_settings: { default_payment_method: defaultCardId } } });
  serveList(cards);
}

/** Serves this list of saved cards. */
export function serveList(cards: Card[]): void {
  server.use(http.get(cardsPath, () => HttpResponse.json({ data: cards })));
}

/** Serves the response of a call that changes cards; returns the bodies of the requests. */
export const serveCall = (
  call: 'edit' | 'cards/add' | 'cards/del' | 'cards/page',
  response: object,
  status = 200,
) => servePost(`/vc-admin/org/customer/${call}`, () => HttpResponse.json(response, { status }));

/** A customer with this default card. */
export const aCustomerWithCard = (card: Card): Customer => ({
  id: 'cus_1',
  currency: 'AUD',
  metadata: { currency: 'AUD' },
  invoice_settings: { default_payment_method: card },
});

/** The payment of an overdue invoice, which has succeeded. */
export const anOverduePayment = (changes: Partial<OverduePayment> = {}): OverduePayment => ({
  status: 'paid',
  invoiceId: 'in_1',
  amount: 3900,
  currency: 'AUD',
  message: '',
  payment_intent: null,
  ...changes,
});

/** A bank account with these last digits. */
export const aBankAccount = (digits: string): Card => ({
  ...aCard(digits),
  kind: 'bank_debit',
  label: `Bank account •••• ${digits}`,
});

/** Returns the rows of the saved cards. */
export const cardRows = () =>
  within(screen.getByRole('list', { name: 'Saved Card(s)' })).getAllByRole('listitem');

/** Returns the row of the card with these last digits. */
export async function findRow(last4: string) {
  const number = await screen.findByText(`•••• ${last4}`);
  return within(number.closest('li') as HTMLElement);
}

/** Selects an option in a card's menu. */
export async function selectOption(last4: string, option: string): Promise<void> {
  const row = await findRow(last4);
  await userEvent.click(row.getByRole('button', { name: /^More options/ }));
  await userEvent.click(row.getByRole('menuitem', { name: option }));
}
