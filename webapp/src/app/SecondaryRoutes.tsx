import { lazy } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router-dom';
import type { Capability } from '@/api';
import { loadChunk } from '@/lib/load-chunk';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';
import { useLoadedConfig } from '@/modules/config/config-store';
import { Redirect } from '@/modules/session/AppLink';

const RegisteredScreen = lazy(() => loadChunk(import('@/features/registration/RegisteredScreen')));
const PaymentScreen = lazy(() => loadChunk(import('@/features/payment/PaymentScreen')));
const ConfirmScreen = lazy(() => loadChunk(import('@/features/confirm/ConfirmScreen')));
const CardsScreen = lazy(() => loadChunk(import('@/features/cards/CardsScreen')));
const PayScreen = lazy(() => loadChunk(import('@/features/pay/PayScreen')));
const EndScreen = lazy(() => loadChunk(import('@/features/end/EndScreen')));
const InvoicesScreen = lazy(() => loadChunk(import('@/features/invoices/InvoicesScreen')));
const InvoiceScreen = lazy(() => loadChunk(import('@/features/invoices/InvoiceScreen')));
const DetailsScreen = lazy(() => loadChunk(import('@/features/details/DetailsScreen')));
const UserAccountScreen = lazy(() => loadChunk(import('@/features/account/UserAccountScreen')));
const MembersScreen = lazy(() => loadChunk(import('@/features/members/MembersScreen')));
const InvitationScreen = lazy(() => loadChunk(import('@/features/access/InvitationScreen')));
const ConfirmRegistrationScreen = lazy(() =>
  loadChunk(import('@/features/access/ConfirmRegistrationScreen')),
);
const ConfirmBillingEmailScreen = lazy(() =>
  loadChunk(import('@/features/access/ConfirmBillingEmailScreen')),
);
const ConfirmEmailScreen = lazy(() => loadChunk(import('@/features/access/ConfirmEmailScreen')));
const UndoScreen = lazy(() => loadChunk(import('@/features/access/UndoScreen')));
const EmailPreferencesScreen = lazy(() =>
  loadChunk(import('@/features/access/EmailPreferencesScreen')),
);
const ForgotScreen = lazy(() => loadChunk(import('@/features/access/ForgotScreen')));
const ResetScreen = lazy(() => loadChunk(import('@/features/access/ResetScreen')));
const NotFoundScreen = lazy(() => loadChunk(import('./NotFoundScreen')));

/**
 * The routes of the screens that visitors do not start with. They have a script of their own, because their names would add
 * a kilobyte to the app's first script.
 */
export default function SecondaryRoutes() {
  return (
    <Routes>
      <Route caseSensitive path={routes.registered} element={<RegisteredScreen />} />
      <Route caseSensitive path={routes.payment} element={<PaymentScreen />} />
      <Route caseSensitive path={routes.confirm} element={<ConfirmScreen />} />
      <Route caseSensitive path={routes.cards} element={<CardsScreen />} />
      <Route element={<RequireCapability capability="open_payments" />}>
        <Route caseSensitive path={routes.pay} element={<PayScreen />} />
      </Route>
      <Route caseSensitive path={routes.billing} element={<BillingRedirect />} />
      <Route element={<RequireCapability capability="billing" />}>
        <Route caseSensitive path={routes.end} element={<EndScreen />} />
      </Route>
      <Route element={<RequireCapability capability="invoices" />}>
        <Route caseSensitive path={routes.invoices} element={<InvoicesScreen />} />
        <Route caseSensitive path={routes.invoice} element={<InvoiceScreen />} />
      </Route>
      <Route element={<RequireCapability capability="billing_details" />}>
        <Route caseSensitive path={routes.details} element={<DetailsScreen />} />
        <Route
          caseSensitive
          path={routes.confirmBillingEmail}
          element={<ConfirmBillingEmailScreen />}
        />
      </Route>
      <Route element={<RequireCapability capability="account" />}>
        <Route caseSensitive path={routes.account} element={<UserAccountScreen />} />
        <Route caseSensitive path={routes.confirmEmail} element={<ConfirmEmailScreen />} />
        <Route caseSensitive path={routes.undo} element={<UndoScreen />} />
      </Route>
      <Route element={<RequireCapability capability="members" />}>
        <Route caseSensitive path={routes.members} element={<MembersScreen />} />
        <Route caseSensitive path={routes.invitation} element={<InvitationScreen />} />
      </Route>
      <Route element={<RequireCapability capability="email_preferences" />}>
        <Route caseSensitive path={routes.emailPreferences} element={<EmailPreferencesScreen />} />
      </Route>
      <Route element={<RequireCapability capability="verification" />}>
        <Route
          caseSensitive
          path={routes.confirmRegistration}
          element={<ConfirmRegistrationScreen />}
        />
      </Route>
      <Route element={<RequireCapability capability="password_reset" />}>
        <Route caseSensitive path={routes.forgot} element={<ForgotScreen />} />
        <Route caseSensitive path={routes.reset} element={<ResetScreen />} />
      </Route>
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  );
}

/** Redirects to the dashboard from the path of a former page, which is in links of emails and in bookmarks. */
function BillingRedirect() {
  const { search, hash, state } = useLocation();
  return <Navigate to={{ pathname: routes.dash, search, hash }} state={state} replace />;
}

/** Redirects to the dashboard from screens of a capability that the server does not have. */
function RequireCapability({ capability }: { capability: Capability }) {
  const config = useLoadedConfig();
  if (config && !can(config, capability)) return <Redirect to={routes.dash} />;
  return <Outlet />;
}
