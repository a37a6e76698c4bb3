// A torrent's trackers, known by their place in the list. Those who may not edit it see no passkeys.
import type { TrackerDetail } from '../../../../shared-protocol/commands/details.js';
import { shownTrackers } from '../../shown-trackers.js';
import { mayEdit, type Columns, type View } from './view.js';

const UNKNOWN = -1;
const STATE = { inactive: 0, waiting: 1, active: 3 };
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http:', '80'],
  ['https:', '443'],
]);

const trackers = () => 'trackers' as const;

export const trackersColumns = {
  trackers: { needs: trackers, of: (view) => trackersOf(view).map(trackerObject) },
  trackerStats: {
    needs: trackers,
    of: (view) => trackersOf(view).map((tracker, id) => statsObject(tracker, id, view.now)),
  },
  trackerList: { needs: trackers, of: (view) => listOf(trackersOf(view)) },
} as const satisfies Columns;

function trackersOf(view: View): readonly TrackerDetail[] {
  return shownTrackers(view.details.trackers ?? [], mayEdit(view));
}

function trackerObject({ url, tier }: TrackerDetail, id: number) {
  return { announce: url, id, scrape: scrapeOf(url), sitename: sitenameOf(url), tier };
}

function statsObject(tracker: TrackerDetail, id: number, now: number) {
  const { url, tier, status, seeds, peers, downloaded, hasTold, lastAnnounce, nextAnnounce, answered, message } =
    tracker;
  const known = (count: number) => (hasTold ? count : UNKNOWN);
  return {
    announce: url,
    announceState: announceStateOf(tracker),
    downloadCount: known(downloaded),
    hasAnnounced: lastAnnounce > 0,
    hasScraped: false,
    host: hostOf(url),
    id,
    isBackup: false,
    lastAnnouncePeerCount: tracker.peersGiven,
    lastAnnounceResult: message || (answered ? 'Success' : ''),
    lastAnnounceStartTime: status === 'updating' ? now : lastAnnounce,
    lastAnnounceSucceeded: answered,
    lastAnnounceTime: lastAnnounce,
    lastAnnounceTimedOut: false,
    lastScrapeResult: '',
    lastScrapeStartTime: 0,
    lastScrapeSucceeded: false,
    lastScrapeTime: 0,
    lastScrapeTimedOut: false,
    leecherCount: known(peers),
    nextAnnounceTime: nextAnnounce,
    nextScrapeTime: 0,
    scrape: scrapeOf(url),
    scrapeState: STATE.inactive,
    seederCount: known(seeds),
    sitename: sitenameOf(url),
    tier,
  };
}

function announceStateOf({ status, nextAnnounce }: TrackerDetail): number {
  if (status === 'updating') return STATE.active;
  return nextAnnounce > 0 ? STATE.waiting : STATE.inactive;
}

/** One address a line, an empty line between tiers. */
function listOf(list: readonly TrackerDetail[]): string {
  return list
    .map(({ url, tier }, index) => (index > 0 && list[index - 1]?.tier !== tier ? `\n${url}` : url))
    .join('\n');
}

/** BEP 48: `announce` where the last element of the path begins with it, else there is none. */
function scrapeOf(url: string): string {
  const [, before, after] = /^(.*\/)announce([^/]*)$/.exec(url) ?? [];
  return before === undefined ? '' : `${before}scrape${after}`;
}

/** With the port, as Transmission has it. */
function hostOf(text: string): string {
  if (!URL.canParse(text)) return '';
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port || (DEFAULT_PORTS.get(protocol) ?? '')}`;
}

/** The second level of the name, as Transmission groups trackers by. */
function sitenameOf(url: string): string {
  const name = URL.canParse(url) ? new URL(url).hostname : '';
  const isAddress = /^[\d.]+$|^\[/.test(name);
  return isAddress ? name : (name.split('.').at(-2) ?? name);
}
