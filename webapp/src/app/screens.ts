import { lazyScreen } from './lazy-screen';

/** The screens that are loaded when they are first shown: all but the plans. */
export const NotFoundScreen = lazyScreen(() =>
  import('./NotFoundScreen').then((screen) => screen.NotFoundScreen),
);
