// What several engines say of themselves, as what one would say: for those who ask how things are. Pure.
import type { EngineHealth } from '../../shared-protocol/commands/engine-options.js';
import type { NetworkStatus } from '../../shared-protocol/network/network-options.js';

const COUNTS = [
  ...(['uptimeMs', 'loopDelayP99Ms', 'torrents', 'connections', 'dhtNodes'] as const),
  ...(['slabUsedBytes', 'bans', 'failedPieces', 'wastedBytes'] as const),
];

/** Whether an engine that may be a customer's has said how it goes: what it says else would be nobody's to know. */
export function isHealth(answer: unknown): answer is EngineHealth {
  const { listeningPort, hasIncoming, ...counts } = fieldsOf(answer);
  const isWhole = COUNTS.every((name) => Number.isFinite(counts[name]));
  return isWhole && typeof hasIncoming === 'boolean' && (listeningPort === null || Number.isFinite(listeningPort));
}

export function isNetworkStatus(answer: unknown): answer is NetworkStatus {
  const { binding, peerPort } = fieldsOf(answer);
  return typeof fieldsOf(binding)['kind'] === 'string' && (peerPort === null || Number.isFinite(peerPort));
}

/** Sums of what is counted; of what cannot be, the worst. At least one answer. */
export function jointHealth(answers: readonly EngineHealth[]): EngineHealth {
  const sum = (of: (answer: EngineHealth) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  return {
    uptimeMs: Math.min(...answers.map(({ uptimeMs }) => uptimeMs)),
    loopDelayP99Ms: Math.max(...answers.map(({ loopDelayP99Ms }) => loopDelayP99Ms)),
    torrents: sum(({ torrents }) => torrents),
    connections: sum(({ connections }) => connections),
    dhtNodes: sum(({ dhtNodes }) => dhtNodes),
    listeningPort: answers.find(({ listeningPort }) => listeningPort !== null)?.listeningPort ?? null,
    hasIncoming: answers.some(({ hasIncoming }) => hasIncoming),
    slabUsedBytes: sum(({ slabUsedBytes }) => slabUsedBytes),
    bans: sum(({ bans }) => bans),
    failedPieces: sum(({ failedPieces }) => failedPieces),
    wastedBytes: sum(({ wastedBytes }) => wastedBytes),
  };
}

/** The one that people have to know of: where an engine has no way out, that one. At least one answer. */
export function jointNetworkStatus(answers: readonly NetworkStatus[]): NetworkStatus {
  return answers.find(({ binding }) => binding.kind === 'closed') ?? answers[0]!;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
