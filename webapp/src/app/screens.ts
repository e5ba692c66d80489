import { lazyScreen } from './lazy-screen';

/** The screens that are loaded when they are first shown: all but the plans. */
export const NotFoundScreen = lazyScreen(() =>
  import('./NotFoundScreen').then((screen) => screen.NotFoundScreen),
);

export const RegistrationScreen = lazyScreen(() =>
  import('@/features/registration/RegistrationScreen').then((screen) => screen.RegistrationScreen),
);

export const RegisteredScreen = lazyScreen(() =>
  import('@/features/registration/RegisteredScreen').then((screen) => screen.RegisteredScreen),
);

export const DashboardScreen = lazyScreen(() =>
  import('@/features/dashboard/DashboardScreen').then((screen) => screen.DashboardScreen),
);

export const PaymentScreen = lazyScreen(() =>
  import('@/features/payment/PaymentScreen').then((screen) => screen.PaymentScreen),
);
