// Looks into a magnet before it is added: the torrent is there for as long as its metadata is on its way, downloads nothing,
// and is taken out again; what has come of it goes on as a torrent file. What is broken off leaves nothing behind, also
// where the page is left meanwhile.
import { createEffect, createRoot, onCleanup } from 'solid-js';
import { createStore } from 'solid-js/store';
import type { AddedByUrlDto } from '../../../../../shared-protocol/dto/torrents.js';
import { atBase } from '../../net/base.js';
import { ApiError, call, fetchFile } from '../../net/http.js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import type { LinkSource } from './sources.js';

export type Preview =
  { readonly kind: 'fetching'; readonly id: string } | { readonly kind: 'failed'; readonly reason: string };

export type MagnetPreviews = ReturnType<typeof createMagnetPreviews>;

export interface MagnetPreviewDeps {
  readonly torrents: Torrents;
  /** Told what has come of a magnet. */
  readonly onFile: (source: LinkSource, file: File) => void;
}

/** Belongs to the component in which it is made: with that, all are broken off. */
export function createMagnetPreviews({ torrents, onFile }: MagnetPreviewDeps) {
  const [previews, setPreviews] = createStore<Record<string, Preview | undefined>>({});
  /** Ids of the torrents that are there for nothing else. */
  const guests = new Set<string>();
  /** Ids whose answer is on its way; none of them was in the list. */
  const asked = new Set<string>();
  /** The list may show one for a moment after it has gone. */
  const wereGuests = new Set<string>();
  const isWanted = ({ key }: LinkSource) => previews[key]?.kind === 'fetching';
  const remove = async (id: string) => {
    if (guests.delete(id)) await call('DELETE', `/api/torrents/${id}`).catch(ignoreRefusal);
  };
  const cancel = async (source: LinkSource) => {
    setPreviews(source.key, undefined);
    await remove(source.key);
  };
  const start = async (source: LinkSource) => {
    const id = source.key;
    setPreviews(id, { kind: 'fetching', id });
    try {
      // By this route, as it tells whether the torrent was there: then it is no guest.
      const wishes = { url: source.link, stop_after: 'metadata', paused: false, force_start: true };
      asked.add(id);
      const answer = call<AddedByUrlDto>('POST', '/api/torrents/url', wishes).finally(() => asked.delete(id));
      const { existed = false } = await answer;
      if (existed) return setPreviews(id, { kind: 'failed', reason: t('add.existing') });
      guests.add(id);
      wereGuests.add(id);
      if (!isWanted(source)) return await remove(id);
      const name = await metadataOf(torrents, id, () => isWanted(source));
      if (name === null) return await remove(id);
      const blob = await fetchFile(`/api/torrents/${id}/file`);
      await remove(id);
      if (!isWanted(source)) return;
      setPreviews(id, undefined);
      onFile(source, new File([blob], `${name}.torrent`, { type: 'application/x-bittorrent' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await remove(id);
      if (isWanted(source)) setPreviews(id, { kind: 'failed', reason: error.message });
    }
  };
  const onPageHide = () => {
    for (const id of [...guests, ...asked])
      void fetch(atBase(`/api/torrents/${id}`), { method: 'DELETE', keepalive: true });
  };
  addEventListener('pagehide', onPageHide);
  onCleanup(() => {
    removeEventListener('pagehide', onPageHide);
    for (const key of Object.keys(previews)) setPreviews(key, undefined);
    for (const id of guests) void remove(id);
  });
  return {
    of: ({ key }: { readonly key: string }): Preview | undefined => previews[key],
    /** Whether a torrent in the list is, or was, none but a guest. */
    isGuest: (id: string) => wereGuests.has(id),
    start,
    cancel,
  };
}

/** Resolves to the torrent's name once its metadata is there; null: it is not wanted any more, or has gone. */
function metadataOf(torrents: Torrents, id: string, isWanted: () => boolean): Promise<string | null> {
  return new Promise((resolve) =>
    createRoot((dispose) => {
      const torrent = torrents.watch(id);
      let wasThere = false;
      const end = (name: string | null) => {
        resolve(name);
        torrents.forget(id);
        dispose();
      };
      createEffect(() => {
        const now = torrent();
        if (!isWanted() || (wasThere && !now)) return end(null);
        wasThere ||= now !== undefined;
        if (now && now.total_bytes > 0) end(now.name);
      });
    }),
  );
}

/** A refusal is told to nobody: the torrent may have gone already, or the server with it. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
