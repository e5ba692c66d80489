import { screen, within } from '@testing-library/react';
import { renderScreen } from '@/testing/render-screen';
import PlansScreen from './PlansScreen';

/** Opens the plans page and returns the router's location. */
export const openPlans = (query = '?debug=true') =>
  renderScreen(PlansScreen, `/vc-admin/diy/plans${query}`);

/** Returns the card of a plan. */
export const plan = (name: string) => within(screen.getByRole('region', { name }));

/** Waits for the card of a plan. */
export const findPlan = async (name: string) => within(await screen.findByRole('region', { name }));

/** Returns the labels of the plans' buttons, in the plans' order. */
export const buttons = () =>
  ['Standard', 'Professional', 'Multi-User', 'Enterprise'].map(
    (name) => plan(name).getByRole('button').textContent,
  );
