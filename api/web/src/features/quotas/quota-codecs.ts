// How the bounds of an account are typed.
import type { AccountQuota } from '../../../../../shared-protocol/dto/accounts.js';
import { number, orUnlimited, type Codec, type Codecs } from '../settings/codecs.js';
import { kbps } from '../settings/rate-control.jsx';
import { size } from '../settings/size.js';

/** `isAsked`: while it is not, nothing that was typed is wrong, for it is neither shown nor sent. */
export function quotaCodecs(isAsked: () => boolean): Codecs<AccountQuota> {
  const whileAsked = (codec: Codec<number>): Codec<number> => {
    const { show, read } = orUnlimited(codec);
    return { show, read: (typed) => (isAsked() ? read(typed) : { value: 0 }) };
  };
  return {
    bytes: whileAsked(size),
    torrents: whileAsked(number()),
    active: whileAsked(number()),
    down_kbps: whileAsked(kbps),
    up_kbps: whileAsked(kbps),
    up_bytes_month: whileAsked(size),
  };
}
