// The labels of a torrent, which are its tags: those that are named, in place of those before.
import { tagsFor } from '../../labelling.js';
import type { Call } from '../row.js';
import type { Judge } from './judge.js';

/** New tags are made for the first torrent that may have them. @throws RequestError `BODY_INVALID`, `CONFLICT` */
export function setLabels(call: Call): Judge | null {
  const names = call.args.texts('labels');
  if (!names) return null;
  const make = tagsFor(call, names);
  let made: Promise<number[]> | null = null;
  return () =>
    async ({ services, share }) =>
      services.torrentLabels.setTags(share, await (made ??= make()));
}
