// One conversation with a gateway through nat-api, in a thread of its own: NAT-PMP first, then UPnP, each with a client
// that is told apart, since the package's errors in one spoil the other. What the package believes without looking is
// looked at here, by standing between it and its sockets and answers.
import { networkInterfaces } from 'node:os';
import NatAPI, { type UpnpClient } from '@silentbot1/nat-api';
import type NatPmpClient from '@silentbot1/nat-api/lib/pmp/index.js';
import { readExternalAddress } from './external-address.js';
import type {
  GatewayMapping,
  GatewayRemark,
  MappedProtocol,
  MappingRemoval,
  MappingRequest,
  MappingTechnique,
} from './gateway-types.js';
import { localNetworks } from '../net/local-networks.js';
import { isNatPmpAnswer } from './nat-pmp-guard.js';
import { judgeMappingEntry, soapAnswer } from './soap-answer.js';
import { judgeSsdpAnswer } from './ssdp-guard.js';

const DESCRIPTION = 'Swarmd';
const TECHNIQUES: readonly MappingTechnique[] = ['nat-pmp', 'upnp'];

interface GatewaySessionDeps {
  readonly onRemark: (remark: GatewayRemark) => void;
  /** This host has answered our search, so it may be talked to. */
  readonly onGateway: (host: string) => void;
}

export class GatewaySession {
  readonly #networks = localNetworks(networkInterfaces());
  /** The shortest lease that was granted. */
  #grantedSec = Number.POSITIVE_INFINITY;

  constructor(private readonly deps: GatewaySessionDeps) {}

  /** Null when the gateway refuses, lies or is not there. */
  async map(request: MappingRequest): Promise<GatewayMapping | null> {
    for (const technique of TECHNIQUES) {
      this.#grantedSec = request.leaseSec;
      const api = this.#client(technique);
      if (!api || !(await mapAll(api, request))) continue;
      const external = readExternalAddress(await api.externalIp());
      if (external.kind === 'private') this.deps.onRemark('private-address');
      return {
        technique,
        leaseSec: this.#grantedSec,
        externalAddress: external.kind === 'public' ? external.address : null,
      };
    }
    return null;
  }

  async unmap({ port, protocols, technique }: MappingRemoval): Promise<boolean> {
    const api = this.#client(technique);
    if (!api) return false;
    let removed = true;
    for (const protocol of protocols) {
      removed = (await api.unmap({ publicPort: port, privatePort: port, protocol })) && removed;
    }
    return removed;
  }

  /** Null where the technique is not to be had. */
  #client(technique: MappingTechnique): NatAPI | null {
    const enablePMP = technique === 'nat-pmp';
    // autoUpdate never renews by NAT-PMP (it makes a function and does not call it), and by UPnP doubles its timers
    // with each renewal; our own clock renews.
    const api = new NatAPI({ enablePMP, enableUPNP: !enablePMP, autoUpdate: false, upnpPermanentFallback: true });
    if (api._pmpClient) this.#guardNatPmp(api._pmpClient);
    if (api._upnpClient) this.#guardUpnp(api._upnpClient);
    return api._pmpClient || api._upnpClient ? api : null;
  }

  #guardNatPmp(client: NatPmpClient): void {
    // Its port may be taken; the request then times out.
    client.on('error', () => undefined);
    client.socket?.removeAllListeners('message');
    client.socket?.on('message', (packet, from) => {
      if (isNatPmpAnswer(packet, from, client.gateway)) client.onMessage(packet, from);
    });
    const ask = client.portMapping.bind(client);
    client.portMapping = async (mapping) => {
      const answer = await ask(mapping);
      if (mapping.ttl === 0) return answer;
      if (answer.private !== mapping.private || answer.public !== mapping.public) {
        this.deps.onRemark('other-port');
        // Peers are told our own port, so another one is of no use; no caller waits for the gateway to take it back.
        void ask({ ...mapping, public: answer.public, ttl: 0 }).catch(() => undefined);
        throw new Error('gateway: other port');
      }
      if (answer.ttl === 0) this.#refuse('no-lease');
      this.#grantedSec = Math.min(this.#grantedSec, answer.ttl);
      return answer;
    };
  }

  #guardUpnp(client: UpnpClient): void {
    const { ssdp } = client;
    const accept = ssdp._parseResponse.bind(ssdp);
    ssdp._parseResponse = (answer, localAddress, sender) => {
      if (!this.#networks.isAttached(sender.address)) return;
      const verdict = judgeSsdpAnswer(answer, sender.address);
      if (verdict === 'other-machine') this.deps.onRemark('other-machine');
      if (verdict !== 'gateway') return;
      this.deps.onGateway(sender.address);
      accept(answer, localAddress, sender);
    };
    const ask = client.portMapping.bind(client);
    client.portMapping = async (mapping: { readonly public: number; readonly protocol: MappedProtocol }) => {
      const body = await ask(mapping);
      // The package takes any XML for a yes.
      if (!soapAnswer(body, 'AddPortMapping')) this.#refuse('malformed-answer');
      const entry = await entryOf(client, mapping.public, mapping.protocol).catch(() => null);
      const owner = judgeMappingEntry(entry, mapping.public, (address) => this.#networks.isOwn(address));
      if (owner === 'other-owner') this.#refuse('other-owner');
      return body;
    };
  }

  #refuse(remark: GatewayRemark): never {
    this.deps.onRemark(remark);
    throw new Error(`gateway: ${remark}`);
  }
}

/**
 * Stops at the first that fails, since the package's NAT-PMP client answers no further request once one has timed out,
 * and gives back those before it.
 */
async function mapAll(api: NatAPI, { port, protocols, leaseSec }: MappingRequest): Promise<boolean> {
  const ports = { publicPort: port, privatePort: port };
  for (const [index, protocol] of protocols.entries()) {
    if (await api.map({ ...ports, protocol, ttl: leaseSec, description: DESCRIPTION })) continue;
    for (const done of protocols.slice(0, index)) await api.unmap({ ...ports, protocol: done });
    return false;
  }
  return true;
}

async function entryOf(client: UpnpClient, port: number, protocol: MappedProtocol): Promise<unknown> {
  const { gateway } = await client.findGateway();
  return gateway.run('GetSpecificPortMappingEntry', [
    ['NewRemoteHost', null],
    ['NewExternalPort', port],
    ['NewProtocol', protocol],
  ]);
}
