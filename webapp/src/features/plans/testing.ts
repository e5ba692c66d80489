import { screen, within } from '@testing-library/react';
import { renderScreen } from '@/testing/render-screen';
import PlansScreen from './PlansScreen';

/** Opens the plans page and returns the router's location. */
export const openPlansScreen = (query = '?debug=true') =>
  renderScreen(PlansScreen, `/vc-admin/diy/plans${query}`);

/** Returns the queries within the card of a plan. */
export const planCard = (name: string) => within(screen.getByRole('region', { name }));

/** Waits for the card of a plan and returns the queries within it. */
export const findPlanCard = async (name: string) =>
  within(await screen.findByRole('region', { name }));

/** Returns the labels of the buttons in the cards, in the order of the plans. */
export const buttonLabels = () =>
  ['Standard', 'Professional', 'Multi-User', 'Enterprise'].map(
    (name) => planCard(name).getByRole('button').textContent,
  );
