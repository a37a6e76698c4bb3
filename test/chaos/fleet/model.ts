// What a fleet has promised: torrents of several accounts with what is set of them, and categories that are made and renamed. It is
// compared with what a front shows, at any time; what is in doubt is certain once all fronts show the same.
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { CategoryDto } from '../../../shared-protocol/dto/labels.js';
import { seededBytes } from '../../support/make-torrent.js';
import { LISTED_ATTRIBUTES } from '../attributes.js';
import { Promised } from '../promises.js';

export type ListedName = keyof typeof LISTED_ATTRIBUTES;
export const LISTED_NAMES = Object.keys(LISTED_ATTRIBUTES) as ListedName[];

/** What a front shows. */
export interface View {
  /** By account. */
  readonly torrents: readonly (readonly TorrentDto[])[];
  readonly categories: readonly CategoryDto[];
}

export interface Content {
  readonly seed: number;
  readonly length: number;
  /** Its data come over the network, and it may take until the end to have them. */
  readonly isDownloaded: boolean;
}

export class FleetTorrent {
  readonly present = new Promised<boolean>(false);
  readonly attributes: Readonly<Record<ListedName, Promised<string>>>;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly account: number,
    readonly content: Content,
    isPaused: boolean,
  ) {
    const entries = LISTED_NAMES.map((name) => [name, new Promised(LISTED_ATTRIBUTES[name].initial)] as const);
    this.attributes = {
      ...(Object.fromEntries(entries) as typeof this.attributes),
      paused: new Promised(String(isPaused)),
    };
  }

  get bytes(): Uint8Array {
    return seededBytes(this.content.seed, this.content.length);
  }

  differences(shown: TorrentDto | undefined): string[] {
    if (!this.present.allows(shown !== undefined)) return [`${this.name}: ${shown ? 'came back' : 'lost'}`];
    if (!shown) return [];
    const wrong = LISTED_NAMES.filter((name) => !this.attributes[name].allows(LISTED_ATTRIBUTES[name].seen(shown)));
    const isWhole = shown.paused || this.content.isDownloaded || (shown.completed && !shown.verifying);
    return [
      ...wrong.map((name) => {
        return `${this.name}: ${name} is ${LISTED_ATTRIBUTES[name].seen(shown)}, not ${this.attributes[name].value}`;
      }),
      ...(isWhole ? [] : [`${this.name}: its data are there, and it is not complete: ${stateOf(shown)}`]),
    ];
  }

  learn(shown: TorrentDto | undefined): void {
    this.present.accepts(shown !== undefined);
    for (const name of shown ? LISTED_NAMES : []) this.attributes[name].accepts(LISTED_ATTRIBUTES[name].seen(shown!));
  }
}

export class FleetCategory {
  /** null: not known, or gone. */
  id: number | null = null;
  /** null: it is not there. */
  readonly name = new Promised<string | null>(null);
  /** Names that it may have had, which no other ever has. */
  readonly names = new Set<string>();
}

export class FleetModel {
  readonly torrents: FleetTorrent[] = [];
  readonly categories: FleetCategory[] = [];

  /** What is not as it was promised, one line each. */
  differences({ torrents, categories }: View): string[] {
    const shown = torrents.map(byId);
    const known = new Set(this.torrents.map(({ id }) => id));
    const ofNobody = torrents.flat().filter(({ id }) => !known.has(id));
    return [
      ...this.torrents.flatMap((torrent) => torrent.differences(shown[torrent.account]?.get(torrent.id))),
      ...ofNobody.map(({ name }) => `${name}: nobody has added it`),
      ...this.categories.flatMap(({ name, names }) => {
        const found = categories.filter((category) => names.has(category.name)).map((category) => category.name);
        const isRight = found.length < 2 && name.allows(found[0] ?? null);
        return isRight ? [] : [`category ${name.value ?? [...names].at(-1)}: there is ${found.join(', ') || 'none'}`];
      }),
    ];
  }

  /** What is shown without differences is what holds. */
  learn({ torrents, categories }: View): void {
    const shown = torrents.map(byId);
    for (const torrent of this.torrents) torrent.learn(shown[torrent.account]?.get(torrent.id));
    for (const known of this.categories) {
      const found = categories.find(({ name }) => known.names.has(name));
      known.id = found?.id ?? null;
      known.name.accepts(found?.name ?? null);
    }
  }

  /** How many changes are in doubt. */
  get inDoubt(): number {
    const ofTorrents = this.torrents.flatMap(({ present, attributes }) => [present, ...Object.values(attributes)]);
    return [...ofTorrents, ...this.categories.map(({ name }) => name)].filter(({ isInDoubt }) => isInDoubt).length;
  }
}

/** What may tell why a torrent is not complete. */
export function stateOf({
  id,
  peers,
  bytes_done,
  total_bytes,
  verifying,
  queued,
  files_missing,
  content_path,
  error,
}: TorrentDto): string {
  return JSON.stringify({ id, peers, bytes_done, total_bytes, verifying, queued, files_missing, content_path, error });
}

function byId(torrents: readonly TorrentDto[]): ReadonlyMap<string, TorrentDto> {
  return new Map(torrents.map((torrent) => [torrent.id, torrent]));
}
