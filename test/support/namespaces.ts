// Two network namespaces joined by a cable (veth): two machines of a home network on one. Needs root and iproute2.
// Everything made here has a name of its own and is removed by it; what was started in them is killed by process id.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';

export type Side = 'a' | 'b';

export interface NamespacePair {
  /** Killed by `remove` at the latest. */
  run(side: Side, command: string, args: readonly string[]): ChildProcess;
  /** Waits for it; what it wrote to standard output. Throws unless it ends with 0. */
  runToEnd(side: Side, command: string, args: readonly string[]): string;
  readonly addresses: Readonly<Record<Side, { readonly ipv4: string; readonly ipv6: string }>>;
  /** The interface in either namespace. */
  readonly device: string;
  remove(): Promise<void>;
}

const COMMAND_TIMEOUT_MS = 10_000;
const DEVICE = 'swarm0';
const ADDRESSES = {
  a: { ipv4: '10.77.0.1', ipv6: 'fd77::1' },
  b: { ipv4: '10.77.0.2', ipv6: 'fd77::2' },
} as const;
const SIDES: readonly Side[] = ['a', 'b'];

let unavailable: string | false | null = null;

/**
 * Why there can be no namespaces here, or false; for tap's `skip`. Found out by making one, since root in a container
 * often may not and CI machines differ.
 */
export function namespacesUnavailable(): string | false {
  unavailable ??= whyUnavailable();
  return unavailable;
}

function whyUnavailable(): string | false {
  if (process.getuid?.() !== 0) return 'network namespaces: not root';
  const probe = newName();
  try {
    execute('unshare', ['-n', 'true']);
    execute('ip', ['netns', 'add', probe]);
    execute('ip', ['netns', 'delete', probe]);
    return false;
  } catch (error) {
    return `network namespaces: ${error instanceof Error ? error.message.split('\n')[0] : 'not available'}`;
  }
}

export interface OwnNamespaces<Place extends string> {
  /** Names that nobody else has, of namespaces that the caller makes. */
  readonly namespaces: Readonly<Record<Place, string>>;
  /** Killed by `remove` at the latest. */
  run(place: Place, command: string, args: readonly string[]): ChildProcess;
  /** The namespaces, and what was started in them; at the latest with this process. */
  remove(): Promise<void>;
}

export function ownNamespaces<Place extends string>(places: readonly Place[]): OwnNamespaces<Place> {
  const name = newName();
  const namespaces = Object.fromEntries(places.map((place) => [place, `${name}-${place}`])) as Record<Place, string>;
  const children = new Set<ChildProcess>();
  const removeNamespaces = (): void => {
    for (const place of places) tryExecute('ip', ['netns', 'delete', namespaces[place]]);
  };
  // Should the test not come to `remove`: nothing can be awaited there.
  const onExit = (): void => {
    for (const child of children) child.kill('SIGKILL');
    removeNamespaces();
  };
  process.once('exit', onExit);
  return {
    namespaces,
    run(place, command, args) {
      // `ip` becomes the command, so the process id is the command's.
      const child = spawn('ip', ['netns', 'exec', namespaces[place], command, ...args], { stdio: 'pipe' });
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    async remove() {
      await Promise.all([...children].map(killed));
      removeNamespaces();
      process.off('exit', onExit);
    },
  };
}

/** Each side has the other as its default route, and groups (224.0.0.0/4, ff00::/8) on the cable. */
export async function makeNamespacePair(): Promise<NamespacePair> {
  const { namespaces, run, remove } = ownNamespaces(SIDES);
  try {
    for (const side of SIDES) execute('ip', ['netns', 'add', namespaces[side]]);
    const end = (side: Side): string[] => ['name', DEVICE, 'netns', namespaces[side]];
    execute('ip', ['link', 'add', ...end('a'), 'type', 'veth', 'peer', ...end('b')]);
    for (const side of SIDES) configure(namespaces[side], side);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    run,
    runToEnd: (side, command, args) => execute('ip', ['netns', 'exec', namespaces[side], command, ...args]),
    addresses: ADDRESSES,
    device: DEVICE,
    remove,
  };
}

function configure(namespace: string, side: Side): void {
  const ip = (...args: string[]): string => execute('ip', ['-n', namespace, ...args]);
  const other = ADDRESSES[side === 'a' ? 'b' : 'a'];
  ip('link', 'set', 'lo', 'up');
  ip('address', 'add', `${ADDRESSES[side].ipv4}/24`, 'dev', DEVICE);
  // nodad: usable at once.
  tryExecute('ip', ['-n', namespace, 'address', 'add', `${ADDRESSES[side].ipv6}/64`, 'dev', DEVICE, 'nodad']);
  ip('link', 'set', DEVICE, 'up');
  ip('route', 'add', 'default', 'via', other.ipv4);
  ip('route', 'add', '224.0.0.0/4', 'dev', DEVICE);
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  if (child.kill('SIGKILL')) await exited;
}

function newName(): string {
  return `swarmd-${process.pid}-${randomBytes(3).toString('hex')}`;
}

export function execute(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', timeout: COMMAND_TIMEOUT_MS });
}

export function tryExecute(command: string, args: readonly string[]): void {
  try {
    execute(command, args);
  } catch {
    // Not there, or no IPv6 on this machine.
  }
}
