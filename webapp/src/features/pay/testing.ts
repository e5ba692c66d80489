import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http, type JsonBodyType } from 'msw';
import type { Card, License, OpenPayment, UserDetail } from '@/api';
import { aCard } from '@/testing/card-provider';
import { aLicense } from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PayScreen from './PayScreen';

/** A license for the yearly Professional plan. */
export const professionalLicense: License = {
  ...aLicense(),
  raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' } },
};

/** Serves a user with this open payment, a Standard license and these saved cards; the first one is the default. */
export function serveOpenPayment(
  openPayment: OpenPayment | null,
  user: Partial<UserDetail> = {},
  cards: Card[] = [aCard('4242'), aCard('4444', { brand: 'mastercard' })],
): void {
  serveConfig();
  serveUser(
    { license: aLicense(), openPayment, ...user },
    { customer: { invoice_settings: { default_payment_method: cards[0]?.id ?? null } } },
  );
  server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: cards })));
}

/** Serves the pay call; returns the bodies of the requests. */
export const servePay = (response: JsonBodyType, status = 200, beforeResponse = () => {}) =>
  serveSubscriptionCall('pay', response, status, beforeResponse);

export const openPayScreen = (search = '') =>
  renderScreen(PayScreen, { pathname: '/vc-admin/diy/pay', search });

/** Waits for a button and clicks it. */
export const pressButton = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }));
