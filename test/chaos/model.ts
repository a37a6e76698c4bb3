// The state that the chaos run expects to find after each kill: one entry for each torrent and setting that it touches.
import type { DaemonUnderTest } from '../support/daemon.js';
import type { Payload } from '../support/peers/payload.js';
import { attribute, ATTRIBUTE_NAMES, type AttributeName } from './attributes.js';
import { Promised } from './promises.js';

export interface TrackedTorrent {
  readonly payload: Payload;
  readonly present: Promised<boolean>;
  readonly attributes: Readonly<Record<AttributeName, Promised<string>>>;
}

export class Model {
  readonly torrents: readonly TrackedTorrent[];
  readonly upKbps = new Promised<number>(0);
  readonly maxSeeds = new Promised<number>(0);
  /** Names of categories that were made, by whether they are there. */
  readonly categories = new Map<string, Promised<boolean>>();

  constructor(payloads: readonly Payload[]) {
    this.torrents = payloads.map((payload) => ({
      payload,
      present: new Promised<boolean>(false),
      attributes: newAttributes(),
    }));
  }

  /** What is not as it was promised, one line each. */
  async compare(daemon: DaemonUnderTest): Promise<{ readonly torrents: string[]; readonly settings: string[] }> {
    const listed = new Set((await daemon.torrents()).map(({ id }) => id));
    const torrents: string[] = [];
    for (const tracked of this.torrents) torrents.push(...(await this.#compareTorrent(tracked, listed, daemon)));
    return { torrents, settings: await this.#compareSettings(daemon) };
  }

  /** What is only seen in the records: file priorities, by info hash. */
  compareRecords(priorities: ReadonlyMap<string, string>): string[] {
    return this.torrents.flatMap(({ payload, attributes }) => {
      const seen = priorities.get(payload.infoHash);
      const isRight = seen === undefined || attributes.priorities.accepts(seen);
      return isRight ? [] : [`${payload.name}: priorities are ${seen}`];
    });
  }

  async #compareTorrent(
    { payload, present, attributes }: TrackedTorrent,
    listed: ReadonlySet<string>,
    daemon: DaemonUnderTest,
  ): Promise<string[]> {
    const isListed = listed.has(payload.infoHash);
    if (!present.accepts(isListed)) return [`${payload.name}: ${isListed ? 'came back' : 'lost'}`];
    if (!isListed) return [];
    const lines: string[] = [];
    for (const name of ATTRIBUTE_NAMES) {
      const seen = await attribute(name).show?.(daemon, payload.infoHash);
      if (seen === undefined) continue;
      const promised = attributes[name].value;
      if (!attributes[name].accepts(seen)) lines.push(`${payload.name}: ${name} is ${seen}, not ${promised}`);
    }
    return lines;
  }

  async #compareSettings(daemon: DaemonUnderTest): Promise<string[]> {
    const limits = (await daemon.api<{ up_kbps: number }>('GET', '/api/settings/limits')).json;
    const queue = (await daemon.api<{ max_active_seeds: number }>('GET', '/api/settings/queue_limits')).json;
    const found = (await daemon.api<readonly { name: string }[]>('GET', '/api/categories')).json;
    const names = new Set(found.map(({ name }) => name));
    return [
      ...(this.upKbps.accepts(limits.up_kbps) ? [] : [`up_kbps is ${limits.up_kbps}`]),
      ...(this.maxSeeds.accepts(queue.max_active_seeds) ? [] : [`max_active_seeds is ${queue.max_active_seeds}`]),
      ...[...this.categories].flatMap(([name, there]) =>
        there.accepts(names.has(name)) ? [] : [`category ${name}: ${names.has(name) ? 'came back' : 'lost'}`],
      ),
    ];
  }
}

function newAttributes(): TrackedTorrent['attributes'] {
  const entries = ATTRIBUTE_NAMES.map((name) => [name, new Promised(attribute(name).initial)] as const);
  return Object.fromEntries(entries) as TrackedTorrent['attributes'];
}
