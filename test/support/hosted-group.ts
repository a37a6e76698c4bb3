// Several engines behind streams, and the file by which a daemon finds them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOfAddress } from '../../api/engine-client/stream-address.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import { Hosted, type HostedOptions } from './hosted-engine.js';
import { temporaryDirectory } from './temporary-directory.js';

export interface GroupedHost {
  readonly name: string;
  readonly createEngine: () => EngineTransport;
  readonly options?: HostedOptions;
}

export interface HostedGroup {
  /** For `--engines`. */
  readonly file: string;
  readonly hosts: readonly Hosted[];
  close(): Promise<void>;
}

/** The first one is that of accounts that name none. `beside`: what is in the file beside the engines. */
export async function startHostedGroup(engines: readonly GroupedHost[], beside: object = {}): Promise<HostedGroup> {
  const hosts: Hosted[] = [];
  for (const { createEngine, options = {} } of engines) hosts.push(await Hosted.start(createEngine, options));
  const entries = await Promise.all(
    hosts.map(async (hosted, place) => {
      const { address, tokenFile, authorityFile } = await hosted.at();
      return {
        name: engines[place]!.name,
        address: nameOfAddress(address),
        token_file: tokenFile,
        ...(authorityFile !== null && { ca_file: authorityFile }),
      };
    }),
  );
  const file = join(await temporaryDirectory(), 'engines.json');
  await writeFile(file, JSON.stringify({ ...beside, engines: entries }));
  return { file, hosts, close: async () => void (await Promise.all(hosts.map((hosted) => hosted.close()))) };
}
