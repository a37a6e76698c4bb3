// The states of a torrent that conditions name; several hold at a time. Pure.
import type { AutomationState } from '../../../shared-protocol/dto/automations.js';
import { hasFlag } from '../library/torrent-dto.js';
import type { Subject } from './subject.js';

export const STATES: { readonly [Name in AutomationState]: (subject: Subject) => boolean } = {
  downloading: (subject) => runs(subject) && !hasFlag(subject.stats, 'completed'),
  seeding: (subject) => runs(subject) && hasFlag(subject.stats, 'completed'),
  stalled: (subject) => runs(subject) && subject.stats.downloadRate < 1 && subject.stats.uploadRate < 1,
  paused: ({ stats }) => hasFlag(stats, 'paused'),
  queued: ({ stats }) => hasFlag(stats, 'queued'),
  checking: ({ stats }) => hasFlag(stats, 'verifying'),
  moving: ({ stats }) => hasFlag(stats, 'moving'),
  completed: ({ stats }) => hasFlag(stats, 'completed'),
  incomplete: ({ stats }) => !hasFlag(stats, 'completed'),
  files_missing: ({ stats }) => hasFlag(stats, 'filesMissing'),
  error: ({ facts, stats }) => facts.error !== null || hasFlag(stats, 'filesMissing'),
};

function runs({ facts, stats }: Subject): boolean {
  const isHeldBack = hasFlag(stats, 'paused') || hasFlag(stats, 'queued') || hasFlag(stats, 'verifying');
  return !isHeldBack && !hasFlag(stats, 'filesMissing') && facts.error === null;
}
