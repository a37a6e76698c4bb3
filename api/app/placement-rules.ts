// `placement` in the file of the engines: where torrents of accounts go that are placed by the fleet (api/engines/placement/).
import { z } from 'zod';
import type { PlacementRule } from '../engines/placement/rules.js';

/** Each is looked at for each torrent that is placed. */
const MAX_RULES = 1_000;
const MAX_NAMES = 100;

const name = z.string().min(1).max(255);
const tags = z.array(name).min(1, 'expected the name of one tag at least').max(MAX_NAMES);
const ruleSchema = z.strictObject({
  account: name.optional(),
  category: name.optional(),
  tag: z.union([name, tags], 'expected the name of a tag, or a list of some').optional(),
  engines: z.array(name).min(1, 'expected the name of one engine at least').max(MAX_NAMES),
});
type GivenRule = z.infer<typeof ruleSchema>;

export const placementSchema = z.array(ruleSchema).max(MAX_RULES).default([]);

/** The fault of the first rule with engines that are none of these, in words with its field; null: there is none. */
export function faultOfRules(rules: readonly GivenRule[], known: readonly string[]): string | null {
  for (const [place, { engines }] of rules.entries()) {
    const at = engines.findIndex((engine, index) => !known.includes(engine) || engines.indexOf(engine) !== index);
    if (at < 0) continue;
    const reason = known.includes(engines[at]!) ? 'is named twice' : `is none of ${known.join(', ')}`;
    return `placement[${place}].engines[${at}]: ${engines[at]} ${reason}`;
  }
  return null;
}

export function placementRule({ account, category, tag = [], engines }: GivenRule): PlacementRule {
  const tags = typeof tag === 'string' ? [tag] : tag;
  return { account: account ?? null, category: category ?? null, tags, engines };
}
