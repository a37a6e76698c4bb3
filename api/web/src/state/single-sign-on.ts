// A session by the word of a reverse proxy that has signed its user in already, where Swarmd is set up for one.
import { createSignal } from 'solid-js';
import { ApiError, beginSession, call } from '../net/http.js';

export interface SignInWays {
  readonly flavor: 'daemon' | 'desktop';
  readonly proxy_sign_in?: true;
}

const [problem, setProblem] = createSignal<string | null>(null);

/** Why the proxy's word was not enough the last time; null: it was, or has not been asked for. */
export { problem as singleSignOnProblem };

/** @throws ApiError */
export function signInWays(): Promise<SignInWays> {
  return call<SignInWays>('GET', '/api/bootstrap');
}

/** Whether a session has begun; without a word where no proxy signs anybody in. */
export async function singleSignOn(): Promise<boolean> {
  try {
    if (!(await signInWays()).proxy_sign_in) return false;
    await call('POST', '/api/signin/proxy');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setProblem(error.message);
    return false;
  }
  setProblem(null);
  beginSession();
  return true;
}
