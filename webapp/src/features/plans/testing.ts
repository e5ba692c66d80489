import { screen, within } from '@testing-library/react';

/** The card of a plan, found by its name. */
export const plan = (name: string) => within(screen.getByRole('region', { name }));

/** The same, once it is there. */
export const findPlan = async (name: string) => within(await screen.findByRole('region', { name }));

/** The labels of the plans' buttons, in the plans' order. */
export const buttons = () =>
  ['Standard', 'Professional', 'Multi-User', 'Enterprise'].map(
    (name) => plan(name).getByRole('button').textContent,
  );
