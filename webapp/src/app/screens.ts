import { lazyScreen } from './lazy-screen';

/** The screens that are loaded when they are first shown: all but the plans. */
export const RegistrationScreen = lazyScreen(() =>
  import('@/features/registration/RegistrationScreen').then((file) => file.RegistrationScreen),
);
export const RegisteredScreen = lazyScreen(() =>
  import('@/features/registration/RegisteredScreen').then((file) => file.RegisteredScreen),
);
export const PaymentScreen = lazyScreen(() =>
  import('@/features/payment/PaymentScreen').then((file) => file.PaymentScreen),
);
export const ConfirmScreen = lazyScreen(() =>
  import('@/features/confirm/ConfirmScreen').then((file) => file.ConfirmScreen),
);
export const CardsScreen = lazyScreen(() =>
  import('@/features/cards/CardsScreen').then((file) => file.CardsScreen),
);
export const PayScreen = lazyScreen(() =>
  import('@/features/pay/PayScreen').then((file) => file.PayScreen),
);
export const ContactScreen = lazyScreen(() =>
  import('@/features/contact/ContactScreen').then((file) => file.ContactScreen),
);
export const DashboardScreen = lazyScreen(() =>
  import('@/features/dashboard/DashboardScreen').then((file) => file.DashboardScreen),
);
export const ConfirmRegistrationScreen = lazyScreen(() =>
  import('@/features/access/ConfirmRegistrationScreen').then(
    (file) => file.ConfirmRegistrationScreen,
  ),
);
export const ForgotScreen = lazyScreen(() =>
  import('@/features/access/ForgotScreen').then((file) => file.ForgotScreen),
);
export const ResetScreen = lazyScreen(() =>
  import('@/features/access/ResetScreen').then((file) => file.ResetScreen),
);
export const NotFoundScreen = lazyScreen(() =>
  import('./NotFoundScreen').then((file) => file.NotFoundScreen),
);
