// The whole of port mapping, nat-api included, against a router in a network namespace: its ports and groups are fixed,
// so it cannot be had on loopback. Several such homes beside one another.
import t, { type Test } from 'tap';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  makeNamespacePair,
  namespacesUnavailable,
  type NamespacePair,
  type Side,
} from '../../../support/namespaces.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import type { GatewayScript } from '../../../support/scripted-gateway.js';

/** Two calls to the gateway and more: where the machine is busy the first may come to nothing. */
const WAIT_MS = 60_000;
/** Nearly all of the time is spent waiting for answers that never come: side by side, each router has its share. */
const ROUTERS = 6;
/** Far below what a mapping that is held would wait for its gateway. */
const CLOSE_LIMIT_MS = 5_000;
/** Above what an idle client takes (80 MiB) and far below what a body without end would make of it. */
const MAX_RSS_MIB = 200;

interface Status {
  readonly state: string;
  readonly externalAddress: string | null;
  readonly attempts: number;
  readonly successes: number;
  readonly timeouts: number;
  readonly oddAnswers: number;
  readonly maxRss: number;
}

/** A line of either program; which fields there are says what it is. */
interface Line {
  readonly event?: string;
  readonly by?: string;
  readonly key?: string;
  readonly what?: string;
  readonly leaseSec?: number;
  readonly status?: Status;
  readonly log?: string;
  readonly remark?: string;
  readonly escaped?: string;
  readonly startedMs?: number;
  readonly closedMs?: number;
}

class Program {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;

  constructor(pair: NamespacePair, side: Side, program: string, ...args: readonly string[]) {
    const path = fileURLToPath(new URL(`../../../support/${program}.js`, import.meta.url));
    this.#child = pair.run(side, process.execPath, [path, ...args]);
    if (!this.#child.stdout) throw new Error('no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.lines.push(JSON.parse(line)));
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The first line of this kind from `since` on. */
  line(what: string, isMet: (line: Line) => boolean, since = 0): Promise<Line> {
    const last = (): string => JSON.stringify(this.lines.slice(-5));
    return waitUntil(what, WAIT_MS, () => this.lines.slice(since).find(isMet), last);
  }

  async status(what: string, isMet: (status: Status) => boolean): Promise<Status> {
    const { status } = await this.line(what, (line) => line.status !== undefined && isMet(line.status));
    if (!status) throw new Error('unreachable');
    return status;
  }

  async end(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => void this.#child.once('close', resolve));
    this.#child.stdin?.end();
    return exited;
  }
}

interface Case {
  readonly name: string;
  readonly script: GatewayScript;
  readonly state: 'mapped' | 'failed';
  readonly by?: 'nat-pmp' | 'upnp';
  readonly protocols?: readonly string[];
  readonly remark?: string;
  readonly externalAddress?: string | null;
  readonly leaseSec?: number;
}

const EXTERNAL = '11.22.33.44';
const NO_PMP = { natPmp: 'off' } as const;

const CASES: readonly Case[] = [
  { name: 'NAT-PMP', script: {}, state: 'mapped', by: 'nat-pmp' },
  { name: 'NAT-PMP, both protocols', script: {}, state: 'mapped', by: 'nat-pmp', protocols: ['TCP', 'UDP'] },
  { name: 'UPnP', script: NO_PMP, state: 'mapped', by: 'upnp' },
  { name: 'UPnP, both protocols', script: NO_PMP, state: 'mapped', by: 'upnp', protocols: ['TCP', 'UDP'] },
  { name: 'NAT-PMP refuses, UPnP does it', script: { natPmp: 'refuses' }, state: 'mapped', by: 'upnp' },
  { name: 'another port', script: { natPmp: 'other-port' }, state: 'mapped', by: 'upnp', remark: 'other-port' },
  { name: 'a lease of no time', script: { natPmp: 'no-lease' }, state: 'mapped', by: 'upnp', remark: 'no-lease' },
  { name: 'packets too short', script: { natPmp: 'short' }, state: 'mapped', by: 'upnp' },
  { name: 'packets of rubbish', script: { natPmp: 'garbage' }, state: 'mapped', by: 'upnp' },
  { name: 'answers from another port', script: { natPmp: 'other-sender' }, state: 'mapped', by: 'upnp' },
  {
    name: 'a media server answers first',
    script: { ...NO_PMP, ssdp: 'wrong-target-first' },
    state: 'mapped',
    by: 'upnp',
  },
  {
    name: 'only mappings without end',
    script: { ...NO_PMP, soap: 'permanent-only' },
    state: 'mapped',
    by: 'upnp',
    leaseSec: 0,
  },
  {
    name: 'behind another router',
    script: { externalAddress: '192.168.1.2' },
    state: 'mapped',
    by: 'nat-pmp',
    externalAddress: null,
    remark: 'private-address',
  },
  {
    name: 'not connected',
    script: { ...NO_PMP, externalAddress: '0.0.0.0' },
    state: 'mapped',
    by: 'upnp',
    externalAddress: null,
    remark: 'private-address',
  },
  { name: 'nobody there', script: { natPmp: 'off', ssdp: 'off' }, state: 'failed' },
  {
    name: 'half of it',
    script: { natPmp: 'tcp-only', ssdp: 'off' },
    state: 'failed',
    protocols: ['TCP', 'UDP'],
  },
  { name: 'SSDP rubbish', script: { ...NO_PMP, ssdp: 'garbage' }, state: 'failed' },
  {
    name: 'described by another',
    script: { ...NO_PMP, ssdp: 'other-machine' },
    state: 'failed',
    remark: 'other-machine',
  },
  { name: 'the port is taken', script: { ...NO_PMP, soap: 'conflict' }, state: 'failed' },
  { name: 'yes, for another', script: { ...NO_PMP, soap: 'other-owner' }, state: 'failed', remark: 'other-owner' },
  { name: 'no lease will do', script: { ...NO_PMP, soap: 'always-725' }, state: 'failed', remark: 'oversized-answer' },
  { name: 'a page to sign in', script: { ...NO_PMP, soap: 'other-xml' }, state: 'failed', remark: 'malformed-answer' },
  { name: 'not XML', script: { ...NO_PMP, soap: 'not-xml' }, state: 'failed' },
  { name: 'nothing', script: { ...NO_PMP, soap: 'empty' }, state: 'failed' },
  { name: 'elsewhere', script: { ...NO_PMP, soap: 'redirect' }, state: 'failed' },
  { name: 'never answers', script: { ...NO_PMP, soap: 'silent' }, state: 'failed' },
  { name: 'never stops', script: { ...NO_PMP, soap: 'endless' }, state: 'failed', remark: 'oversized-answer' },
  { name: 'unpacks forever', script: { ...NO_PMP, soap: 'bomb' }, state: 'failed', remark: 'oversized-answer' },
];

const SCENES: readonly HomeTest[] = [
  {
    name: 'a gateway that has been switched off and on has the mapping again',
    run: async (t, home) => {
      await home.tell('{}');
      const { client, port } = home.newClient();
      await client.status('mapped', ({ state }) => state === 'mapped');
      const since = await home.tell('reboot');
      await home.gateway.line('renewal', (line) => line.event === 'mapped' && line.key === `TCP ${port}`, since);
      const { state } = await client.status('renewed', ({ successes }) => successes >= 2);
      t.equal(state, 'mapped');
      t.equal(await client.end(), 0);
    },
  },
  {
    name: 'a gateway that comes later is found',
    run: async (t, home) => {
      await home.tell(JSON.stringify({ natPmp: 'off', ssdp: 'off' }));
      const { client } = home.newClient();
      await client.status('failed', ({ state }) => state === 'failed');
      await home.tell('{}');
      await client.status('mapped', ({ state }) => state === 'mapped');
      t.equal(await client.end(), 0);
      const complaints = client.lines.filter(({ log }) => log === 'gateway: peer port not mapped');
      t.equal(complaints.length, 1, 'said once');
    },
  },
  {
    name: 'closing does not wait for a gateway that has gone silent',
    run: async (t, home) => {
      await home.tell(JSON.stringify({ ...NO_PMP, soap: 'silent' }));
      const { client } = home.newClient();
      await client.line('start', ({ startedMs }) => startedMs !== undefined);
      t.equal(await client.end(), 0);
      const { closedMs } = await client.line('closed', (line) => line.closedMs !== undefined);
      t.ok((closedMs ?? Number.NaN) < CLOSE_LIMIT_MS, `${closedMs} ms`);
    },
  },
];

t.setTimeout(480_000);

void t.test('port mapping', { skip: namespacesUnavailable() }, async (t) => {
  const tests = [...CASES.map(mappingTest), ...SCENES];
  t.jobs = ROUTERS;
  const homes = Array.from({ length: ROUTERS }, async (_, home) => {
    const share = tests.filter((_, i) => i % ROUTERS === home);
    return t.test(`home ${home}`, { buffered: true }, (t) => atHome(t, share));
  });
  await Promise.all(homes);
});

interface HomeTest {
  readonly name: string;
  readonly run: (t: Test, home: Home) => Promise<void>;
}

/** A gateway, and a machine behind it. */
class Home {
  #nextPort = 7000;

  constructor(
    private readonly pair: NamespacePair,
    readonly gateway: Program,
  ) {}

  /** Sends the gateway a line and waits until it acts by it; where its next events begin. */
  async tell(line: string): Promise<number> {
    const since = this.gateway.lines.length;
    this.gateway.say(line);
    await this.gateway.line('ready', ({ event }) => event === 'ready', since);
    return this.gateway.lines.length;
  }

  newClient(protocols: readonly string[] = []): { client: Program; port: number } {
    const port = this.#nextPort++;
    return { port, client: new Program(this.pair, 'a', 'scripted-gateway-client', String(port), ...protocols) };
  }
}

async function atHome(t: Test, tests: readonly HomeTest[]): Promise<void> {
  const pair = await makeNamespacePair();
  try {
    const gateway = new Program(pair, 'b', 'scripted-gateway-child', pair.addresses.b.ipv4);
    await gateway.line('gateway', (line) => line.event === 'ready');
    const home = new Home(pair, gateway);
    for (const { name, run } of tests) await t.test(name, (t) => run(t, home));
    t.equal(await gateway.end(), 0);
  } finally {
    await pair.remove();
  }
}

function mappingTest(given: Case): HomeTest {
  return {
    name: given.name,
    run: async (t, home) => {
      const since = await home.tell(JSON.stringify(given.script));
      const { client, port } = home.newClient(given.protocols);
      const status = await client.status(given.state, ({ state }) => state === 'mapped' || state === 'failed');
      t.equal(status.state, given.state);
      t.equal(await client.end(), 0);
      // What the gateway has done by now has been said before it is ready.
      await home.tell(JSON.stringify(given.script));
      const keys = (given.protocols ?? ['TCP']).map((protocol) => `${protocol} ${port}`);
      const done = (event: string): (string | undefined)[] =>
        home.gateway.lines
          .slice(since)
          .filter((line) => line.event === event && line.by === given.by)
          .map((line) => line.key);
      if (given.state === 'mapped') {
        t.equal(status.externalAddress, given.externalAddress === undefined ? EXTERNAL : given.externalAddress);
        t.same(done('mapped'), keys);
        t.same(done('unmapped'), keys, 'taken back at the end');
        const leases = home.gateway.lines.slice(since).filter(({ by }) => by === given.by);
        t.equal(leases[0]?.leaseSec, given.leaseSec ?? 3600);
      } else {
        t.equal(status.externalAddress, null);
      }
      const left = new Set<string | undefined>();
      for (const { event, key } of home.gateway.lines.slice(since)) {
        if (event === 'mapped') left.add(key);
        if (event === 'unmapped') left.delete(key);
      }
      t.equal(left.size, given.remark === 'other-owner' ? 1 : 0, 'all of ours is taken back');
      t.equal(status.oddAnswers, given.remark ? 1 : 0);
      const remarks = client.lines.flatMap(({ remark }) => remark ?? []);
      t.same(remarks, given.remark ? [given.remark] : []);
      t.same(
        client.lines.flatMap(({ escaped }) => escaped ?? []),
        [],
        'nothing escapes',
      );
      t.ok(status.maxRss < MAX_RSS_MIB, `${status.maxRss} MiB`);
    },
  };
}
