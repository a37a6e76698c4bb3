// Who is signed in. A session that ends (12 hours, a changed password, another tab) leaves the page where it is; signing
// in again goes on from there.
import { createSignal } from 'solid-js';
import type { Permission, UserDto } from '../../../../shared-protocol/dto/accounts.js';
import { ApiError, beginSession, call, whenUnauthorized } from '../net/http.js';

export type EndReason = 'password' | 'username' | 'account';

export type SessionState =
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

whenUnauthorized(endSession);

/** Asks the server who this is. */
export async function refreshSession(): Promise<void> {
  try {
    setState({ kind: 'signedIn', me: await call<UserDto>('GET', '/api/me') });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401 && state().kind !== 'signedIn') setState({ kind: 'unreachable' });
  }
}

/** @throws ApiError as the server answers */
export async function signIn(username: string, password: string): Promise<void> {
  await call('POST', '/api/login', { username, password });
  beginSession();
  await refreshSession();
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

function endSession(): void {
  setState((before) => ({
    kind: 'signedOut',
    hasEnded: before.kind === 'signedIn' || (before.kind === 'signedOut' && before.hasEnded),
    why: expectedEnd ?? (before.kind === 'signedOut' ? before.why : null),
  }));
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
