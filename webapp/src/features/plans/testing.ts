import { screen, within } from '@testing-library/react';

/** A plan's card, as people find it: by its name. For tests only. */
export const plan = (name: string) => within(screen.getByRole('region', { name }));

/** The same, once it is there. */
export const findPlan = async (name: string) => within(await screen.findByRole('region', { name }));

/** The labels of the plans' buttons, in the plans' order. */
export const buttons = () =>
  ['Standard', 'Professional', 'Multi-User', 'Enterprise'].map(
    (name) => plan(name).getByRole('button').textContent,
  );
