// A torrent's name, sizes, times and rates: its facts and its row of numbers, without a message to the engine.
import { activeSecondsOf, seedingSecondsOf } from '../../../../shared-protocol/active-times.js';
import { shownMagnet } from '../../../services/library/magnet.js';
import { shownName } from '../../../services/library/torrent-dto.js';
import type { Columns, View } from './view.js';

/** Ratios of what has no bytes. */
const NO_RATIO = -1;
const NO_LABELS: readonly string[] = [];

export const figuresColumns = {
  id: { of: ({ facts, services }) => services.torrentNumbers.numberOf(facts.id) },
  hashString: { of: ({ facts }) => facts.id },
  name: { of: ({ facts }) => shownName(facts) },
  labels: { of: labelsOf },
  group: { of: () => '' },
  downloadDir: { of: ({ facts }) => facts.savePath },
  magnetLink: { of: ({ facts, access }) => shownMagnet(facts, access) },
  /** Where it lies on disk is nobody's to know. */
  torrentFile: { of: () => '' },
  isPrivate: { of: ({ facts }) => facts.isPrivate },
  'primary-mime-type': { of: () => 'application/octet-stream' },
  metadataPercentComplete: { of: ({ facts }) => (facts.hasMetadata ? 1 : 0) },

  totalSize: { of: ({ facts }) => facts.totalBytes },
  sizeWhenDone: { of: ({ stats }) => stats.wantedBytes },
  leftUntilDone: { of: leftUntilDone },
  desiredAvailable: { of: (view) => (view.stats.seeds > 0 ? leftUntilDone(view) : 0) },
  haveValid: { of: ({ stats }) => stats.bytesDone },
  haveUnchecked: { of: () => 0 },
  corruptEver: { of: () => 0 },
  percentDone: { of: ({ stats }) => part(stats.wantedDone, stats.wantedBytes) },
  percentComplete: { of: ({ facts, stats }) => part(stats.bytesDone, facts.totalBytes) },
  downloadedEver: { of: ({ stats }) => stats.totalDown },
  uploadedEver: { of: ({ stats }) => stats.totalUp },
  /** The ratio that limits on seeding are held against. */
  uploadRatio: { of: ({ stats }) => (stats.bytesDone > 0 ? stats.totalUp / stats.bytesDone : NO_RATIO) },

  rateDownload: { of: ({ stats }) => Math.round(stats.downloadRate) },
  rateUpload: { of: ({ stats }) => Math.round(stats.uploadRate) },
  peersConnected: { of: ({ stats }) => stats.peers },
  queuePosition: { of: ({ stats }) => stats.queuePosition },

  addedDate: { of: ({ facts }) => facts.addedAt },
  doneDate: { of: ({ facts }) => facts.completedAt ?? 0 },
  activityDate: { of: ({ stats }) => stats.lastActivityAt },
  editDate: { of: () => 0 },
  startDate: { of: ({ stats }) => Math.floor(stats.countedSince) },
  secondsDownloading: { of: ({ stats, now }) => activeSecondsOf(stats, now) - seedingSecondsOf(stats, now) },
  secondsSeeding: { of: ({ stats, now }) => seedingSecondsOf(stats, now) },
  manualAnnounceTime: { of: () => 0 },
} as const satisfies Columns;

function leftUntilDone({ stats }: View): number {
  return Math.max(0, stats.wantedBytes - stats.wantedDone);
}

function part(done: number, whole: number): number {
  return whole > 0 ? Math.min(1, done / whole) : 0;
}

function labelsOf({ facts, services }: View): readonly string[] {
  if (facts.library.tagIds.length === 0) return NO_LABELS;
  return facts.library.tagIds.flatMap((id) => services.labels.tag(id)?.name ?? []);
}
