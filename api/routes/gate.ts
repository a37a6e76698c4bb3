// Who may call a route: a value that its row states, that authorize.ts enforces, and that the documentation puts in words.
import type { Permission } from '../../shared-protocol/dto/accounts.js';
import type { Access } from '../../shared-protocol/dto/torrents.js';

/** `login` is public under the login limit. */
export type PublicGate = 'public' | 'login';
/** Any account, administrators, or those with the permission (which administrators always have). */
export type AccountGate = 'account' | 'admin' | Permission;

/** The callers that may pass. `torrent`: the access needed to the torrent that the path or the body names. */
export type Gate =
  | { readonly kind: PublicGate }
  | { readonly kind: 'account'; readonly needs: AccountGate }
  | { readonly kind: 'torrent'; readonly access: Access; readonly in: 'path' | 'body'; readonly needs: AccountGate };
