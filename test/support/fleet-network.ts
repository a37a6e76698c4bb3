// A network of its own for a fleet: each role is in a network namespace, and all are joined by a bridge in the namespace that this
// process is in, which is nobody else's (`unshare --net`). What goes from one role to another is lost in silence while they are cut
// off from each other, as by a switch that has failed. Needs root and iproute2.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../../fleet/layout.js';
import type { Links } from '../../fleet/links.js';
import { execute, ownNamespaces, type OwnNamespaces } from './namespaces.js';
import { FLEET_CERTIFICATE, FLEET_KEY } from './tls-fixture.js';

const BRIDGE = 'fleet0';
const DEVICE = 'eth0';
const NETWORK = '10.77.1.0/24';
const ENGINE_PORT = 9490;
/** By role, besides its number. */
const FIRST_OF = { engine: 10, front: 100, postgres: 1 };

export class FleetNetwork {
  /** The address of this process, at which all roles reach it. */
  readonly here = '10.77.1.254';
  /** All addresses of it. */
  readonly range = NETWORK;
  readonly #namespaces: OwnNamespaces<string>;

  /** `roles`: names, as a fleet has them. */
  constructor(private readonly roles: readonly string[]) {
    this.#namespaces = ownNamespaces(roles);
  }

  /** Makes what is there until {@link remove}, or until this process ends. */
  async make(): Promise<void> {
    try {
      const ip = (...args: string[]): string => execute('ip', args);
      ip('link', 'set', 'lo', 'up');
      ip('link', 'add', BRIDGE, 'type', 'bridge');
      ip('address', 'add', `${this.here}/24`, 'dev', BRIDGE);
      ip('link', 'set', BRIDGE, 'up');
      for (const [place, role] of this.roles.entries()) this.#join(role, `port${place}`);
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await this.#namespaces.remove();
  }

  /** How a fleet reaches its roles here. */
  readonly links = (layout: Layout): Links => {
    const [tokenFile, cert, key] = ['engine-token', 'fleet.pem', 'fleet-key.pem'].map((name) =>
      join(layout.directory, name),
    ) as [string, string, string];
    writeFileSync(cert, FLEET_CERTIFICATE);
    writeFileSync(key, FLEET_KEY, { mode: 0o600 });
    layout.secret(tokenFile);
    const at = (engine: string): string => `${addressOf(engine)}:${ENGINE_PORT}`;
    const postgres = addressOf('postgres');
    return {
      before: (role) => ['ip', 'netns', 'exec', this.#namespaces.namespaces[role]!],
      listen: (engine) => [
        ...['--listen', `tcp://${at(engine)}`, '--token-file', tokenFile, '--tls-cert', cert, '--tls-key', key],
      ],
      entry: (engine) => ({ address: `wss://${at(engine)}`, token_file: tokenFile, ca_file: cert }),
      hostOf: addressOf,
      database: {
        settings: [`listen_addresses=${postgres}`],
        access: [`host all all ${NETWORK} scram-sha-256`],
        host: postgres,
      },
      options: ['--fetch-allow', NETWORK],
    };
  };

  /** From here on nothing comes from these to those, or back, and nobody is told. */
  cut(these: readonly string[], those: readonly string[]): void {
    this.#route('add', these, those);
  }

  /** What {@link cut} has cut. */
  heal(these: readonly string[], those: readonly string[]): void {
    this.#route('delete', these, those);
  }

  #route(change: 'add' | 'delete', these: readonly string[], those: readonly string[]): void {
    for (const [from, to] of [...pairs(these, those), ...pairs(those, these)]) {
      const namespace = this.#namespaces.namespaces[from]!;
      execute('ip', ['-n', namespace, 'route', change, 'blackhole', `${addressOf(to)}/32`]);
    }
  }

  #join(role: string, port: string): void {
    const namespace = this.#namespaces.namespaces[role]!;
    const inside = (...args: string[]): string => execute('ip', ['-n', namespace, ...args]);
    execute('ip', ['netns', 'add', namespace]);
    execute('ip', ['link', 'add', port, 'master', BRIDGE, 'type', 'veth', 'peer', 'name', DEVICE, 'netns', namespace]);
    execute('ip', ['link', 'set', port, 'up']);
    inside('link', 'set', 'lo', 'up');
    inside('address', 'add', `${addressOf(role)}/24`, 'dev', DEVICE);
    inside('link', 'set', DEVICE, 'up');
  }
}

function addressOf(role: string): string {
  const [kind, number = '0'] = role.split('-') as [keyof typeof FIRST_OF, string?];
  return `10.77.1.${FIRST_OF[kind] + Number(number)}`;
}

function pairs(these: readonly string[], those: readonly string[]): (readonly [string, string])[] {
  return these.flatMap((one) => those.map((other) => [one, other] as const));
}
