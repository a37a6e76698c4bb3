import t from 'tap';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import {
  makeNamespacePair,
  namespacesUnavailable,
  type NamespacePair,
  type Side,
} from '../../../support/namespaces.js';
import { waitUntil } from '../../../support/peers/wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../support/lsd-child.js', import.meta.url));
const SENDER = fileURLToPath(new URL('../../../support/lsd-sender.js', import.meta.url));
const HASH = 'ab'.repeat(20);
/** An address of no network that the receiver is attached to. */
const OFF_NET = '172.31.9.9';
const WAIT_MS = 15_000;

interface Heard {
  readonly infoHash?: string;
  readonly host?: string;
  readonly port?: number;
  readonly counters?: Readonly<Record<string, number>>;
}

class Announcer {
  readonly heard: Heard[] = [];
  readonly #child: ChildProcess;

  constructor(pair: NamespacePair, side: Side, port: number) {
    this.#child = pair.run(side, process.execPath, [PROGRAM, HASH, String(port)]);
    if (!this.#child.stdout) throw new Error('no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.heard.push(JSON.parse(line)));
  }

  hasPeer(host: string, port: number): boolean {
    return this.heard.some((peer) => peer.infoHash === HASH && peer.host === host && peer.port === port);
  }

  async counters(): Promise<Readonly<Record<string, number>>> {
    const before = this.heard.length;
    this.#child.stdin?.write('\n');
    const answered = (): Heard | undefined => this.heard.slice(before).find((line) => line.counters);
    return (await waitUntil('counters', WAIT_MS, answered)).counters ?? {};
  }

  /** Its input ends, then it does. */
  async end(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => void this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    return exited;
  }
}

t.setTimeout(90_000);

void t.test('two machines on a cable', { skip: namespacesUnavailable() }, async (t) => {
  const pair = await makeNamespacePair();
  try {
    const a = new Announcer(pair, 'a', 6001);
    const b = new Announcer(pair, 'b', 6002);
    const { addresses } = pair;

    await t.test('find each other, by IPv4 and by IPv6', async (t) => {
      await waitUntil('IPv4 of b', WAIT_MS, () => a.hasPeer(addresses.b.ipv4, 6002) || undefined);
      await waitUntil('IPv4 of a', WAIT_MS, () => b.hasPeer(addresses.a.ipv4, 6001) || undefined);
      await waitUntil('IPv6 of b', WAIT_MS, () => a.hasPeer(addresses.b.ipv6, 6002) || undefined);
      await waitUntil('IPv6 of a', WAIT_MS, () => b.hasPeer(addresses.a.ipv6, 6001) || undefined);
      t.notOk(
        a.heard.some((peer) => peer.port === 6001),
        'its own announcements are not peers',
      );
      const counters = await a.counters();
      t.ok((counters['ownIgnored'] ?? 0) > 0, 'but come back');
      t.equal(counters['offNetIgnored'], 0);
      t.equal(counters['malformedIgnored'], 0);
    });

    await t.test('a sender from elsewhere is ignored', async (t) => {
      pair.runToEnd('b', 'ip', ['address', 'add', `${OFF_NET}/32`, 'dev', pair.device]);
      const send = (from: string, port: number): string =>
        pair.runToEnd('b', process.execPath, [SENDER, from, addresses.b.ipv4, HASH, String(port)]);
      send(addresses.b.ipv4, 7001);
      await waitUntil('the control', WAIT_MS, () => a.hasPeer(addresses.b.ipv4, 7001) || undefined);
      send(OFF_NET, 7002);
      await waitUntil('ignored', WAIT_MS, async () => ((await a.counters())['offNetIgnored'] ?? 0) > 0 || undefined);
      t.notOk(a.heard.some((peer) => peer.port === 7002));
    });

    t.same(await Promise.all([a.end(), b.end()]), [0, 0], 'both end by themselves');
  } finally {
    await pair.remove();
  }
});
