// Entry of the thread that makes one gateway call and is then ended: wiring only.
import { parentPort, workerData } from 'node:worker_threads';
import { createGatewayFetch } from './gateway-fetch.js';
import type { GatewayJob, GatewayJobResult, GatewayRemark, MappingOutcome } from './gateway-types.js';

// What this file's only starter, gateway-thread.ts, has put there.
const job = workerData as GatewayJob;
const gateways = new Set<string>();
const remarks = new Set<GatewayRemark>();
const onRemark = (remark: GatewayRemark): void => void remarks.add(remark);

// nat-api takes the fetch that it finds while it is loaded.
const isGateway = (host: string): boolean => gateways.has(host);
globalThis.fetch = createGatewayFetch({ fetch: globalThis.fetch, isGateway, onRemark });
const { GatewaySession } = await import('./gateway-session.js');

const session = new GatewaySession({ onRemark, onGateway: (host) => gateways.add(host) });

async function run(): Promise<GatewayJobResult> {
  if (job.kind === 'unmap') return { kind: 'unmap', removed: await session.unmap(job.removal) };
  const mapping = await session.map(job.request);
  const said = { remarks: [...remarks] };
  const outcome: MappingOutcome = mapping
    ? { kind: 'mapped', mapping, ...said }
    : { kind: 'failed', reason: 'not-mapped', ...said };
  return { kind: 'map', outcome };
}

parentPort?.postMessage(await run());
