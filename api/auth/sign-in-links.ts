// Single-use links that sign the user of the desktop program in (docs/semantics.md section 3): a user who sees the
// program's terminal or is sent there by it needs no password. Owns the tokens that are good; keeps digests, never a
// token.
import type { AccountId } from '../../shared-protocol/ids.js';
import { RequestError } from '../errors.js';
import { digestOf } from './api-keys.js';

const SECOND_MS = 1_000;
export const SIGN_IN_LINK_TTL_MS = 60 * SECOND_MS;
const TOKEN_BYTES = 32;

export interface SignInLinkDeps {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}

interface Link {
  readonly accountId: AccountId;
  readonly expiresAtMs: number;
  readonly onRedeemed: () => void;
}

export class SignInLinks {
  /** By digest. */
  readonly #links = new Map<string, Link>();

  constructor(private readonly deps: SignInLinkDeps) {}

  /** How many are still good. */
  get size(): number {
    this.#sweep();
    return this.#links.size;
  }

  /**
   * A token for the link `/signin#<token>`: 43 characters of URL-safe base64, good for 60 s. `onRedeemed`: it was used.
   */
  create(accountId: AccountId, onRedeemed: () => void = () => undefined): string {
    this.#sweep();
    const token = Buffer.from(this.deps.randomBytes(TOKEN_BYTES)).toString('base64url');
    this.#links.set(digestOf(token), { accountId, expiresAtMs: this.deps.now() + SIGN_IN_LINK_TTL_MS, onRedeemed });
    return token;
  }

  /** Returns the account that the link signs in, and uses the link up. @throws RequestError `INVALID_CREDENTIALS` */
  redeem(token: string): AccountId {
    this.#sweep();
    const digest = digestOf(token);
    const link = this.#links.get(digest);
    if (!link) throw new RequestError('INVALID_CREDENTIALS');
    this.#links.delete(digest);
    link.onRedeemed();
    return link.accountId;
  }

  #sweep(): void {
    const now = this.deps.now();
    for (const [digest, { expiresAtMs }] of this.#links) if (expiresAtMs <= now) this.#links.delete(digest);
  }
}
