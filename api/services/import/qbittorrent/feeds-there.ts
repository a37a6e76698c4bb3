// The feeds of qBittorrent: `rss/feeds.json`, an object of feeds and of folders with feeds in them. Pure.
import { z } from 'zod';
import type { ForeignFeed } from '../foreign-settings.js';
import type { IniValues } from '../ini-file.js';

/** Folders in folders that are looked into. */
const MAX_DEPTH = 16;
const MINUTE_S = 60;

const feedSchema = z.object({ url: z.string(), refreshInterval: z.number().min(0).optional().catch(undefined) });

/** `tree`: what the file holds. */
export function feedsThere(tree: Readonly<Record<string, unknown>>, ini: IniValues): ForeignFeed[] {
  const minutes = Number(ini.get('RSS/Session\\RefreshInterval') ?? 0);
  const intervalMin = Number.isSafeInteger(minutes) && minutes > 0 ? minutes : 0;
  const isEnabled = ini.get('RSS/Session\\EnableProcessing') === 'true';
  const found: ForeignFeed[] = [];
  const add = (path: readonly string[], url: string, seconds = 0) => {
    const name = path.at(-1) ?? '';
    const names = name === url ? [] : [name, path.join(' / ')];
    found.push({ url, names, intervalMin: Math.ceil(seconds / MINUTE_S) || intervalMin, isEnabled });
  };
  const walk = (folder: object, path: readonly string[]): void => {
    for (const [name, value] of Object.entries(folder) as [string, unknown][]) {
      const inner = [...path, name];
      // Older versions write the address alone, or nothing where the name is the address.
      if (typeof value === 'string') add(inner, value || name);
      if (typeof value !== 'object' || value === null) continue;
      const feed = feedSchema.safeParse(value);
      if (feed.success) add(inner, feed.data.url, feed.data.refreshInterval);
      else if (inner.length < MAX_DEPTH) walk(value, inner);
    }
  };
  walk(tree, []);
  return found;
}
