// A server that the one under the page knows, for what looks at other servers.
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { addRemote, keyOf, untilState } from '../support/remotes.js';

export const SERVER = 'attic';
const HASH = 'e'.repeat(40);

/** By the one that knows them; each ends with it. */
const known = new Map<string, Promise<DaemonUnderTest>>();

/** The other server, with a torrent: one for each daemon, however often it is asked for. */
export function elsewhere(front: DaemonUnderTest): Promise<DaemonUnderTest> {
  const other = known.get(front.dataDir) ?? start(front);
  known.set(front.dataDir, other);
  return other;
}

async function start(front: DaemonUnderTest): Promise<DaemonUnderTest> {
  const other = await startDaemon();
  void front.exited.then(() => other.stop());
  await other.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=Elsewhere.iso`);
  const id = await addRemote(front, { name: SERVER, url: other.url, api_key: await keyOf(other, 'front') });
  await untilState(front, id, 'connected');
  return other;
}
