// The notices of one account: bounded, in the order of their making, each read or not. What would say the same once more
// is one notice, as long as it is unread.
import { z } from 'zod';
import {
  MAX_NOTICES,
  NOTICE_KINDS,
  noticeSchema,
  type NoticeDto,
  type UnreadNotices,
} from '../../../shared-protocol/dto/notices.js';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import { shortened } from '../../../shared-protocol/shortened.js';

/** Torrents that follow each other so closely are told of in one notice. */
const COUNTED_WITHIN_S = 300;
const MAX_NAME_CHARS = 200;
const MAX_MESSAGE_CHARS = 500;
/** Torrents that a notice remembers to have counted. */
const MAX_COUNTED = 10_000;

export const ringSchema = z.object({
  next_id: idSchema,
  /** The oldest first. */
  notices: z.array(noticeSchema),
});
export type RingData = z.infer<typeof ringSchema>;
export const noNotices = (): RingData => ({ next_id: 1, notices: [] });

/** Something that has happened. */
export interface News extends Pick<NoticeDto, 'kind' | 'torrent_id' | 'name'> {
  /** @default 1 */
  readonly count?: number;
  /** @default neither feed nor automation */
  readonly source?: { readonly id: number; readonly name: string };
  /** @default empty, as the next two */
  readonly code?: string;
  readonly action?: string;
  readonly message?: string;
  /** `count`: with those before it that are like it. `once`: not while one like it is unread. @default by itself */
  readonly merge?: 'count' | 'once';
}

export class Ring {
  #nextId: number;
  readonly #notices: NoticeDto[];
  /** The torrents of notices that count them, as far as they were counted since the start. */
  readonly #counted = new Map<number, Set<string>>();

  constructor({ next_id, notices }: RingData) {
    this.#nextId = next_id;
    this.#notices = [...notices];
  }

  get data(): RingData {
    return { next_id: this.#nextId, notices: [...this.#notices] };
  }

  /** The newest first. */
  get newest(): NoticeDto[] {
    return this.#notices.toReversed();
  }

  get unread(): UnreadNotices {
    const count = (kind: NoticeDto['kind']) => this.#notices.filter((each) => each.kind === kind && !each.read).length;
    return Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, count(kind)])) as UnreadNotices;
  }

  /** Returns the notice that tells it, new or counted up; null: one that says so is unread already. `now`: Unix seconds. */
  add(news: News, now: number): NoticeDto | null {
    const notice = this.#made(news, now);
    const place = this.#placeOfLike(notice, news.merge, now);
    const like = this.#notices[place];
    if (like && news.merge === 'once') {
      this.#notices[place] = { ...like, message: notice.message };
      return null;
    }
    if (like) {
      const counted = this.#counted.get(like.id);
      if (notice.torrent_id !== null && counted?.has(notice.torrent_id)) return null;
      this.#remember(like.id, notice.torrent_id);
      return (this.#notices[place] = { ...like, count: like.count + notice.count, message: notice.message });
    }
    this.#nextId++;
    this.#notices.push(notice);
    if (news.merge === 'count') this.#remember(notice.id, notice.torrent_id);
    for (const gone of this.#notices.splice(0, Math.max(0, this.#notices.length - MAX_NOTICES))) {
      this.#counted.delete(gone.id);
    }
    return notice;
  }

  /** Marks those up to the id as read. */
  read(upTo: number): void {
    for (const [place, notice] of this.#notices.entries()) {
      if (notice.id <= upTo && !notice.read) this.#notices[place] = { ...notice, read: true };
    }
  }

  /** False: there is none of this id. */
  remove(id: number): boolean {
    const place = this.#notices.findIndex((notice) => notice.id === id);
    if (place < 0) return false;
    this.#notices.splice(place, 1);
    this.#counted.delete(id);
    return true;
  }

  /** Removes those up to the id. */
  clear(upTo: number): void {
    const left = this.#notices.filter(({ id }) => id > upTo);
    this.#notices.splice(0, Infinity, ...left);
    for (const id of this.#counted.keys()) if (id <= upTo) this.#counted.delete(id);
  }

  #made(
    { kind, torrent_id, name, count = 1, source, code = '', action = '', message = '' }: News,
    at: number,
  ): NoticeDto {
    return {
      ...{ id: this.#nextId, at, kind, read: false, torrent_id, count, code, action },
      name: shortened(name, MAX_NAME_CHARS),
      source_id: source?.id ?? null,
      source: shortened(source?.name ?? '', MAX_NAME_CHARS),
      message: shortened(message, MAX_MESSAGE_CHARS),
    };
  }

  /** -1: there is none. */
  #placeOfLike(notice: NoticeDto, merge: News['merge'], now: number): number {
    if (!merge) return -1;
    return this.#notices.findLastIndex(
      (each) =>
        !each.read &&
        each.kind === notice.kind &&
        each.source_id === notice.source_id &&
        each.code === notice.code &&
        each.action === notice.action &&
        (merge === 'once' ? each.torrent_id === notice.torrent_id : now - each.at <= COUNTED_WITHIN_S),
    );
  }

  #remember(id: number, torrentId: string | null): void {
    if (torrentId === null) return;
    const counted = this.#counted.get(id) ?? new Set();
    if (counted.size < MAX_COUNTED) counted.add(torrentId);
    this.#counted.set(id, counted);
  }
}
