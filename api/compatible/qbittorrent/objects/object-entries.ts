// Makes the entries of one account's torrents: what is still true of the one before is taken over.
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import { emptyStats, type StatsReader } from '../../../../shared-protocol/stats-table.js';
import type { Labels } from '../../../services/library/labels.js';
import type { SeedingRules } from '../../../services/library/seeding-rules.js';
import { statsOfShare, type ListedTorrent } from '../../../services/library/shares.js';
import { objectFacts } from '../torrent-object.js';
import { bare, ObjectEntry, type EntrySources } from './object-entry.js';

const SCRATCH = emptyStats();

/** The sources of one account's objects. */
export interface ObjectSources {
  readonly stats: Pick<StatsReader, 'read' | 'sequence' | 'areUnchanged' | 'changes'>;
  readonly labels: Pick<Labels, 'revision' | 'category' | 'tag'>;
  readonly seedingRules: Pick<SeedingRules, 'revision' | 'inForce'>;
  /** Access of the account to a torrent of its list. */
  readonly accessOf: (torrent: ListedTorrent) => Access | null;
}

export class ObjectEntries {
  constructor(private readonly sources: ObjectSources) {}

  /** The one before while all of it is true. `before`: of these very facts. */
  make(torrent: ListedTorrent, before?: ObjectEntry): ObjectEntry {
    const { stats, labels, seedingRules } = this.sources;
    const sequence = stats.sequence(torrent.row);
    const rulesRevision = seedingRules.revision;
    const was = before?.from;
    const hasFacts =
      was?.rulesRevision === rulesRevision && (was.labelsRevision === labels.revision || !isLabelled(torrent));
    if (before && hasFacts && was.sequence === sequence) return before;
    // A torrent that is in the account's list is one that it may see (services/library/visibility.ts).
    const access = was?.access ?? this.sources.accessOf(torrent) ?? 'viewer';
    const facts = hasFacts ? was.facts : this.#facts(torrent, access);
    return new ObjectEntry({
      torrent,
      access,
      // The same text is the same object: differences are looked for where it is another.
      facts: facts === was?.facts ? was.facts : facts,
      stats: was?.sequence === sequence ? was.stats : this.#stats(torrent, was),
      sequence,
      labelsRevision: labels.revision,
      rulesRevision,
    });
  }

  #facts(torrent: ListedTorrent, access: Access): string {
    const { labels, seedingRules } = this.sources;
    const { categoryId, tagIds } = torrent.library;
    const category = categoryId === null ? undefined : labels.category(categoryId);
    const tags = tagIds.flatMap((id) => labels.tag(id) ?? []);
    return bare(objectFacts({ torrent, access, category, tags, seeding: seedingRules.inForce(torrent) }));
  }

  /** A row that is another torrent's already says nothing of this one, which is about to go. */
  #stats(torrent: ListedTorrent, was: EntrySources | undefined): EntrySources['stats'] {
    const isRead = this.sources.stats.read(torrent.row, torrent.rowTag, SCRATCH);
    return isRead ? statsOfShare(SCRATCH, torrent) : (was?.stats ?? emptyStats());
  }
}

function isLabelled({ library }: ListedTorrent): boolean {
  return library.categoryId !== null || library.tagIds.length > 0;
}
