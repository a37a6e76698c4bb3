// Who is signed in. A session that ends (12 hours, a changed password, another tab) leaves the page where it is; signing
// in again goes on from there.
import { createSignal } from 'solid-js';
import type { Permission, UserDto } from '../../../../shared-protocol/dto/accounts.js';
import { ApiError, beginSession, call, whenUnauthorized } from '../net/http.js';
import { singleSignOn } from './single-sign-on.js';

export type EndReason = 'password' | 'username' | 'account';

export type SessionState =
  /** The server is being asked. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' }
  /** `hasEnded`: a user was signed in. `why`: what they changed themselves that ended it. */
  | { readonly kind: 'signedOut'; readonly hasEnded: boolean; readonly why: EndReason | null }
  | { readonly kind: 'signedIn'; readonly me: UserDto };

// An answer that says nothing new wakes no component: the server is asked who this is after each lost connection.
const [state, setState] = createSignal<SessionState>(
  { kind: 'unknown' },
  { equals: (before, now) => JSON.stringify(before) === JSON.stringify(now) },
);

export { state as sessionState };

whenUnauthorized(() => void goOnOrEnd());

/** Asks the server who this is, and resolves with whether it has said so. */
export async function refreshSession(): Promise<boolean> {
  try {
    setState({ kind: 'signedIn', me: await call<UserDto>('GET', '/api/me') });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401 && state().kind !== 'signedIn') setState({ kind: 'unreachable' });
    return false;
  }
}

/** @throws ApiError as the server answers */
export async function signIn(username: string, password: string): Promise<void> {
  await call('POST', '/api/login', { username, password });
  beginSession();
  await refreshSession();
}

/** Signs in whom the reverse proxy has signed in, and resolves with whether it did. */
export async function signInByProxy(): Promise<boolean> {
  return (await singleSignOn()) && (await refreshSession());
}

export async function signOut(): Promise<void> {
  await call('POST', '/api/logout');
  setState({ kind: 'signedOut', hasEnded: false, why: null });
}

let lastMe: UserDto | null = null;
/** The reason of a request that is under way. */
let expectedEnd: EndReason | null = null;

/**
 * A request after which the server knows this session no more: the user, who is sent to sign in again, is told why, and
 * finds the name to sign in with, which may be new.
 */
export async function endingSession<Answer>(
  why: EndReason,
  username: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
  expectedEnd = why;
  try {
    const answer = await request();
    lastMe = { ...me(), username };
    endSession();
    return answer;
  } finally {
    expectedEnd = null;
  }
}

let isGoingOn = false;

/** Where a reverse proxy signs its user in, another session follows one that has ended, and nobody is asked. */
async function goOnOrEnd(): Promise<void> {
  const before = state();
  if (isGoingOn) return;
  if (before.kind === 'signedOut' || expectedEnd !== null) return endSession();
  isGoingOn = true;
  setState({ kind: 'unknown' });
  try {
    if (!(await signInByProxy())) endSession(before);
  } finally {
    isGoingOn = false;
  }
}

/** `before`: what it was until it was found out. */
function endSession(before = state()): void {
  setState({
    kind: 'signedOut',
    hasEnded: before.kind === 'signedIn' || (before.kind === 'signedOut' && before.hasEnded),
    why: expectedEnd ?? (before.kind === 'signedOut' ? before.why : null),
  });
}

/** The account; also of a session that has ended, as what it showed stays until a user signs in. */
export function me(): UserDto {
  const now = state();
  if (now.kind === 'signedIn') lastMe = now.me;
  if (!lastMe) throw new Error('bug: nobody is signed in');
  return lastMe;
}

/** The name of the user who was signed in last; '' when none was. */
export function lastUsername(): string {
  return lastMe?.username ?? '';
}

export function may(permission: Permission): boolean {
  return me().role === 'admin' || me()[permission];
}
