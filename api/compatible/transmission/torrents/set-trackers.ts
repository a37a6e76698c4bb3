// The trackers of a torrent: all of them as a text, or some added, removed and replaced by their places in the list that
// `trackers` shows.
import type { TrackerDetail } from '../../../../shared-protocol/commands/details.js';
import { tiersBodySchema } from '../../../../shared-protocol/dto/trackers.js';
import { RequestError } from '../../../errors.js';
import { isTrackerUrl } from '../../tracker-url.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../row.js';
import type { Judge } from './judge.js';

/** Some of which one call may add, remove and replace: more than a torrent has. */
const MAX_NAMED = 1_000;

type Tiers = readonly (readonly string[])[];
type List = readonly Pick<TrackerDetail, 'url' | 'tier'>[];

export function setTrackers({ args }: Call): Judge | null {
  const whole = args.text('tracker_list');
  const edit = whole === undefined ? editIn(args) : () => tiersIn(whole);
  if (!edit) return null;
  return async ({ services, share, principal }) => {
    const { success, data } = tiersBodySchema.safeParse({ tiers: edit(await services.torrentTrackers.list(share)) });
    if (!success) throw new RequestError('BODY_INVALID', 'trackers: too many, or too long');
    const wrong = data.tiers.flat().find((url) => !isTrackerUrl(url));
    if (wrong !== undefined)
      throw new RequestError('BODY_INVALID', `trackers: "${wrong.slice(0, 100)}" is no address of a tracker`);
    return () => services.torrentTrackers.setTiers(share, data.tiers, principal.account);
  };
}

/** An address a line, an empty line between tiers. */
function tiersIn(text: string): Tiers {
  const blocks = text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/);
  const tiers = blocks.map((block) => block.split('\n').map((line) => line.trim()));
  return tiers.map((tier) => tier.filter((line) => line !== '')).filter((tier) => tier.length > 0);
}

/** Null where nothing is added, removed or replaced. @throws RequestError `BODY_INVALID` */
function editIn(args: Arguments): ((list: List) => Tiers) | null {
  const [added, removed] = [args.texts('tracker_add'), args.integers('tracker_remove')];
  const replaced = replacementsIn(args);
  if (!added && !removed && !replaced) return null;
  const named = (added?.length ?? 0) + (removed?.length ?? 0) + (replaced?.size ?? 0);
  if (named > MAX_NAMED) throw new RequestError('BODY_INVALID', 'trackers: too many, or too long');
  return (list) => {
    for (const place of [...(removed ?? []), ...(replaced?.keys() ?? [])]) {
      if (!list[place]) throw new RequestError('BODY_INVALID', `trackers: there is none with the id ${place}`);
    }
    const kept = list.flatMap(({ url, tier }, place) =>
      removed?.includes(place) ? [] : [{ url: replaced?.get(place) ?? url, tier }],
    );
    const known = new Set(kept.map(({ url }) => url));
    const fresh = [...new Set(added)].filter((url) => !known.has(url));
    return [...byTier(kept), ...fresh.map((url) => [url])];
  };
}

/** Ids and addresses by turns. @throws RequestError `BODY_INVALID` */
function replacementsIn(args: Arguments): Map<number, string> | null {
  const pairs = args.value('tracker_replace');
  if (pairs === undefined) return null;
  const refused = new RequestError('BODY_INVALID', 'tracker_replace: expected ids and addresses by turns');
  if (!Array.isArray(pairs) || pairs.length % 2 > 0) throw refused;
  const replaced = new Map<number, string>();
  for (let i = 0; i < pairs.length; i += 2) {
    const [place, url] = pairs.slice(i, i + 2) as readonly unknown[];
    if (typeof place !== 'number' || typeof url !== 'string') throw refused;
    replaced.set(place, url);
  }
  return replaced;
}

function byTier(list: List): string[][] {
  const tiers = new Map<number, string[]>();
  for (const { url, tier } of list) tiers.set(tier, [...(tiers.get(tier) ?? []), url]);
  return [...tiers.values()];
}
