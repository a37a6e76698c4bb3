// The word of a reverse proxy for its users, as the options set it up: the header that names them, and the key in a file.
import { firstLineOf } from '../../storage/option-file.js';
import { digestOf } from '../auth/api-keys.js';
import type { ProxySignIn } from '../auth/proxied-users.js';
import type { Options } from '../cli/options.js';

/** Keys that are made at random are no shorter. */
const MIN_KEY_CHARS = 32;

/** null: no proxy signs anybody in. @throws Error where the file is unusable, with the option that names it */
export async function readProxySignIn({
  proxyUsers,
  trustedProxies,
}: Pick<Options, 'proxyUsers' | 'trustedProxies'>): Promise<ProxySignIn | null> {
  if (!proxyUsers) return null;
  const { userHeader, keyFile } = proxyUsers;
  const key = await firstLineOf('--proxy-key-file', keyFile);
  // What a header cannot hold no proxy could ever show.
  if (!/^[\x21-\x7e]+$/.test(key) || key.length < MIN_KEY_CHARS) {
    throw new Error(
      `--proxy-key-file ${keyFile}: expected ${MIN_KEY_CHARS} characters or more on the first line, of ASCII and without spaces`,
    );
  }
  return { trustedProxies, userHeader, keyDigest: digestOf(key) };
}
