import { create } from 'zustand';
import * as api from '@/api';
import { ApiError, xsrfToken } from '@/api';
import { logFailure } from '@/lib/log';

/** The signed-in user with the organisation. */
export interface User extends api.UserDetail {
  org: api.Organisation;
}

/** The session. `error` is the failure of the last call about the session, for screens that show it. */
export type Session =
  | { status: 'loading' }
  | {
      status: 'signedOut';
      error: api.ApiError | null;
      /** Whether the session ended without a sign-out in this tab, so that screens keep the user's input. */
      ended?: true;
    }
  | {
      status: 'signedIn';
      user: User;
      /** The organisation's customer at the payment provider; null when it does not exist yet. */
      customer: api.Customer | null;
      error: api.ApiError | null;
      /** The XSRF token with which the identity was fetched. */
      token: string;
      /** The organisation to which the user has switched in another tab. This tab still shows that of `user`. */
      switchedTo?: { id: string; name: string };
    };

type FetchedSession = Exclude<Session, { status: 'loading' }>;

/** The organisation of the session is another one than that of the tab. */
interface OtherOrganisation {
  status: 'otherOrganisation';
  organisation: { id: string; name: string };
}

/** The session of a signed-in user. */
export type SignedInSession = Extract<Session, { status: 'signedIn' }>;

interface SessionStore {
  session: Session;
  /** The XSRF token when the identity was last requested. */
  token: string;
  /**
   * The id of the organisation that this tab shows. Empty if the tab shows the organisation of the session, or if the server
   * does not report the user's organisations.
   */
  organisation: string;
  /** Whether the user has just signed in and may choose an organisation. */
  asksOrganisation: boolean;
  /**
   * Fetches the identity. The current identity stays until the response arrives, and after a failure. After a failure it is
   * dropped if the XSRF token has changed, or if a call has reported that the session is over (`isOver`). Waits for a later
   * refresh that starts before the response arrives. Never rejects.
   */
  refresh: (isOver?: boolean) => Promise<void>;
  /**
   * Sends a sign-in and fetches the identity. `send` receives the organisation of the tab, if the sign-in renews or confirms
   * a session that the tab still shows.
   */
  startSession: (send: (organisation?: string) => Promise<void>) => Promise<void>;
  /**
   * Switches the session with `send`, and shows the organisation in this tab. Rejects with the failure of `send`.
   */
  switchOrganisation: (id: string, send: (id: string) => Promise<void>) => Promise<void>;
  /** Fetches the identity and shows the organisation of the session. Call it after the organisation may have changed. */
  adoptOrganisation: () => Promise<void>;
  /** Stays in the organisation of the session when the user has to choose one after a sign-in. */
  keepOrganisation: () => void;
  /** Signs in and fetches the identity. `query` is the config's loginQuery. Returns the error, or null on success. */
  signIn: (credentials: api.Credentials, query?: object) => Promise<api.ApiError | null>;
  /** Ends the session and returns true. Logs a failure, keeps the session and returns false. */
  signOut: () => Promise<boolean>;
  /** Registers an organisation. Logs a failure and rejects with it. */
  signUp: (registration: api.Registration, debug: boolean) => Promise<void>;
  /**
   * Creates the customer, fetches the identity and returns the customer's id. Sets `error` and returns null if that
   * fails.
   */
  createCustomer: () => Promise<string | null>;
  /**
   * Sets the token of the session to the XSRF token of the page, unless it is set already. The page is delivered
   * without an XSRF token; the responses to its first requests set one.
   */
  setInitialToken: () => void;
  /** Replaces the customer, after a call that changed it. */
  setCustomer: (customer: api.Customer) => void;
}

/** The last refresh, or the sign-out after it. The responses to earlier refreshes are ignored. */
let latestRefresh: Promise<void>;

/** Loads the code that the page needs for this user. The session gets the user after that. */
let loadForUser: (user: api.UserDetail) => Promise<void> = async () => {};

/** Sets the function that is called before the session has a user. It must not reject. */
export const loadBeforeSession = (load: typeof loadForUser) => {
  loadForUser = load;
};

export const useSessionStore = create<SessionStore>()((set, get) => ({
  session: { status: 'loading' },
  token: '',
  organisation: '',
  asksOrganisation: false,
  refresh: (isOver = false) => {
    const token = xsrfToken();
    set({ token });
    const fetched = fetchIdentity(token, (detail) => isOtherOrganisation(get(), detail));
    const refresh: Promise<void> = fetched.then((fetchedSession) => {
      if (refresh !== latestRefresh) return latestRefresh;
      set(({ session }) => ({ session: mergeSessions(session, fetchedSession, isOver) }));
      if (fetchedSession.status === 'signedIn') {
        const { organisations, orgId } = fetchedSession.user;
        set({ organisation: organisations ? orgId : '' });
      }
    });
    latestRefresh = refresh;
    return refresh;
  },
  startSession: async (send) => {
    const { session, organisation } = get();
    const isKept = session.status === 'signedIn' || 'ended' in session;
    await send((isKept && organisation) || undefined);
    set({ asksOrganisation: !isKept });
    await get().refresh();
  },
  switchOrganisation: async (id, send) => {
    await send(id);
    set({ organisation: id, asksOrganisation: false });
    await get().refresh();
  },
  adoptOrganisation: () => {
    set({ organisation: '', asksOrganisation: false });
    return get().refresh();
  },
  keepOrganisation: () => set({ asksOrganisation: false }),
  signIn: async (credentials, query) => {
    try {
      await get().startSession((organisation) =>
        api.signIn(organisation ? { ...credentials, organisation } : credentials, query),
      );
    } catch (error) {
      logFailure('Signing in failed', error);
      return error as api.ApiError;
    }
    const { session } = get();
    const isVisitor = session.status === 'signedOut' && !session.error;
    // The browser has dropped the cookie of the new session.
    return isVisitor && xsrfToken() === '' ? api.cookiesError() : null;
  },
  signOut: async () => {
    try {
      await api.signOut();
      latestRefresh = Promise.resolve();
      api.setOrganisation('');
      set({
        session: { status: 'signedOut', error: null },
        token: xsrfToken(),
        organisation: '',
        asksOrganisation: false,
      });
      return true;
    } catch (error) {
      logFailure('Signing out failed', error);
      return false;
    }
  },
  signUp: async (registration, debug) => {
    try {
      return await api.signUp(registration, debug);
    } catch (error) {
      logFailure('Signing up failed', error);
      throw error;
    }
  },
  createCustomer: async () => {
    if (get().session.status !== 'signedIn') return null;
    try {
      await api.createCustomer();
    } catch (error) {
      set(({ session }) => ({ session: addError(session, error as api.ApiError) }));
      return null;
    }
    await get().refresh();
    const { session } = get();
    return (session.status === 'signedIn' && session.user.org.stripeCustomerId) || null;
  },
  setInitialToken: () => {
    const { token, session } = get();
    if (token !== '') return;
    const firstToken = xsrfToken();
    set({
      token: firstToken,
      session: session.status === 'signedIn' ? { ...session, token: firstToken } : session,
    });
  },
  setCustomer: (customer) =>
    set(({ session }) => ({
      session: session.status === 'signedIn' ? { ...session, customer } : session,
    })),
}));

/** Whether the user of the tab has switched to another organisation in another tab, and can switch back. */
function isOtherOrganisation(
  { session, organisation }: Pick<SessionStore, 'session' | 'organisation'>,
  { id, orgId, organisations }: api.UserDetail,
): boolean {
  if (session.status !== 'signedIn' || session.user.id !== id || orgId === organisation)
    return false;
  return organisations?.some((candidate) => candidate.id === organisation) ?? false;
}

/**
 * Fetches the identity. Logs a failure and returns it as a signed-out session, with `error` unless the session is over.
 * Returns only the organisation if `isOther` accepts the user.
 */
async function fetchIdentity(
  token: string,
  isOther: (detail: api.UserDetail) => boolean,
): Promise<FetchedSession | OtherOrganisation> {
  try {
    const detail = await api.getUserDetail();
    if (!detail) return { status: 'signedOut', error: null };
    const { orgId, organisations } = detail;
    if (isOther(detail)) {
      const name = organisations?.find(({ id }) => id === orgId)?.name ?? '';
      return { status: 'otherOrganisation', organisation: { id: orgId, name } };
    }
    api.setOrganisation(organisations ? orgId : '');
    const loadingForUser = loadForUser(detail);
    const org = await api.getOrganisation(detail.orgId);
    const { customer, error } = await fetchCustomer(org);
    const user = { ...addLicenseCurrency(detail, customer), org };
    await loadingForUser;
    return { status: 'signedIn', user, token, customer, error };
  } catch (failure) {
    logFailure('The identity could not be fetched', failure);
    const error = failure as api.ApiError;
    return { status: 'signedOut', error: error.sessionOver ? null : error };
  }
}

/** Fetches the customer of an organisation. Returns a failure of the payment provider, which does not end the session. */
async function fetchCustomer(org: api.Organisation) {
  if (!org.stripeCustomerId) return { customer: null, error: null };
  try {
    return { customer: await api.getCustomer(), error: null };
  } catch (failure) {
    const error = failure as api.ApiError;
    if (error.sessionOver) throw error;
    logFailure('The customer could not be fetched', error);
    return { customer: null, error };
  }
}

/** Returns the user with licenses that have the currency of the customer if they have none. */
export function addLicenseCurrency(
  user: api.UserDetail,
  customer: api.Customer | null,
): api.UserDetail {
  const currency = customer?.currency || customer?.metadata.currency || '';
  const withCurrency = (license: api.License | null) =>
    license && { ...license, currency: license.currency || currency };
  return {
    ...user,
    license: withCurrency(user.license),
    pastLicense: withCurrency(user.pastLicense),
  };
}

/** Returns the session after a refresh. It keeps the parts of the old session that could not be fetched. */
function mergeSessions(
  oldSession: Session,
  newSession: FetchedSession | OtherOrganisation,
  isOver: boolean,
): Session {
  const signedInSession = oldSession.status === 'signedIn' ? oldSession : null;
  if (newSession.status === 'otherOrganisation') {
    if (!signedInSession) return oldSession;
    return { ...signedInSession, error: null, switchedTo: newSession.organisation };
  }
  if (newSession.status === 'signedIn') {
    const knownCustomer = signedInSession?.customer ?? null;
    const { error, user } = newSession;
    const keepsCustomer = error && knownCustomer?.id === user.org.stripeCustomerId;
    return keepsCustomer ? { ...newSession, customer: knownCustomer } : newSession;
  }
  if (signedInSession && newSession.error && !isOver && signedInSession.token === xsrfToken()) {
    return { ...signedInSession, error: newSession.error };
  }
  return signedInSession || 'ended' in oldSession ? { ...newSession, ended: true } : newSession;
}

function addError(session: Session, error: api.ApiError): Session {
  return session.status === 'loading' ? session : { ...session, error };
}

/** Returns the session. */
export const useSession = () => useSessionStore(({ session }) => session);

/** The message about a call that failed because the session was over. The user reads it after signing in again. */
export const sessionRenewedMessage = 'Your session was renewed. Please try again.';

/**
 * Fetches the identity again when a call failed because the session is over. `SignedIn` then shows a sign-in form.
 * Returns whether the session was over. Never rejects.
 */
export async function refreshIfSessionOver(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError && error.sessionOver)) return false;
  await useSessionStore.getState().refresh(true);
  return true;
}

/** The delays between the attempts of `refreshUntil`, in milliseconds. */
const refreshDelays = [1000, 2000, 4000];

/**
 * Fetches the identity until `isDone` accepts the session, at most four times. The provider reports a confirmation in the
 * browser to the server a moment later.
 */
export async function refreshUntil(isDone: (session: Session) => boolean): Promise<void> {
  await useSessionStore.getState().refresh();
  for (const delay of refreshDelays) {
    if (isDone(useSessionStore.getState().session)) return;
    await new Promise((resolve) => setTimeout(resolve, delay));
    await useSessionStore.getState().refresh();
  }
}
