// What the daemon says of itself, and the system of its process: engine, descriptors, ports, the way out, proxies.
import { readFile, readdir } from 'node:fs/promises';
import type { NetworkDto } from '../../shared-protocol/dto/network.js';
import type { ApiClient } from '../daemon/api-client.js';
import { CommandFailed } from '../exit-codes.js';
import type { Finding } from './finding.js';

/** Peers, files and clients of a busy seedbox. */
const FEW_DESCRIPTORS = 4_096;
const NEARLY_ALL = 0.8;

export async function lookAtDaemon(api: ApiClient): Promise<readonly Finding[]> {
  const { version } = await api.call<{ readonly version: string }>('GET', '/api/version');
  const { url, pid } = api.daemon;
  return [
    { what: 'daemon', how: 'fine', found: `version ${version} at ${url}` },
    await engine(api),
    ...(pid === null ? [] : await descriptors(pid)),
    ...(await network(api)),
    webAccess(url),
  ];
}

async function engine(api: ApiClient): Promise<Finding> {
  try {
    await api.call('GET', '/api/healthz');
    return { what: 'engine', how: 'fine', found: 'it answers' };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { what: 'engine', how: 'wrong', found: error.message, advice: 'see the log; it is started again by itself' };
  }
}

async function descriptors(pid: number): Promise<Finding[]> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? NaN);
  const open = await readdir(`/proc/${pid}/fd`).then(
    (names) => names.length,
    () => null,
  );
  if (Number.isNaN(limit)) return [];
  const isShort = limit < FEW_DESCRIPTORS || (open ?? 0) > NEARLY_ALL * limit;
  const found = `${open === null ? '' : `${open} of `}${limit} may be open`;
  const advice = 'raise LimitNOFILE= of the unit, or ulimit -n: with few descriptors few peers are connected';
  return [{ what: 'descriptors', how: isShort ? 'worth' : 'fine', found, advice }];
}

async function network(api: ApiClient): Promise<Finding[]> {
  const { state, bind, proxy } = await api.call<NetworkDto>('GET', '/api/settings/network');
  if (state === null) return [{ what: 'network', how: 'wrong', found: 'the engine is away', advice: 'see the log' }];
  const findings: Finding[] = [];
  if (state.binding === 'closed') {
    const advice = `bring ${bind} up, or bind to something else: until then nothing is sent to anybody`;
    findings.push({ what: 'network', how: 'wrong', found: state.reason, advice });
  } else {
    const way =
      state.binding === 'bound' ? `by ${state.device || state.addresses.join(', ')} alone` : 'by any interface';
    findings.push({ what: 'network', how: 'fine', found: way });
  }
  if (proxy.kind !== 'none') {
    findings.push({ what: 'proxy', how: 'fine', found: `${proxy.kind} ${proxy.host}:${proxy.port}` });
  }
  findings.push(
    state.peer_port === 0
      ? {
          what: 'port for peers',
          how: proxy.kind === 'none' ? 'wrong' : 'worth',
          found: 'none: peers cannot connect to this machine',
          advice: 'choose another port, if this one is taken; behind a proxy it is meant so',
        }
      : {
          what: 'port for peers',
          how: 'fine',
          found: `${state.peer_port}; whether the router forwards it can be told from outside only`,
        },
  );
  return findings;
}

function webAccess(url: string): Finding {
  const { hostname, protocol } = new URL(url);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (isHere || protocol === 'https:') return { what: 'web access', how: 'fine', found: url };
  const advice = 'serve HTTPS (--tls-cert and --tls-key), or a proxy that does, named in --trusted-proxies';
  return { what: 'web access', how: 'worth', found: `${url}: passwords cross the network in plain`, advice };
}
