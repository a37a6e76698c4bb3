// A gateway client without a gateway: every call waits for the test to settle it.
import type {
  GatewayClient,
  GatewayRemark,
  MappingOutcome,
  MappingRemoval,
  MappingRequest,
} from '../../engine/port-mapping/gateway-types.js';

export interface MapCall {
  readonly request: MappingRequest;
  readonly settle: (outcome: MappingOutcome) => void;
  readonly reject: (error: Error) => void;
}

export interface UnmapCall {
  readonly removal: MappingRemoval;
  readonly settle: (removed: boolean) => void;
}

export class ScriptedGatewayCalls implements GatewayClient {
  readonly maps: MapCall[] = [];
  readonly unmaps: UnmapCall[] = [];
  aborts = 0;
  /** Thrown by `map` at once. */
  failure: Error | null = null;

  map(request: MappingRequest): Promise<MappingOutcome> {
    if (this.failure) throw this.failure;
    return new Promise((settle, reject) => void this.maps.push({ request, settle, reject }));
  }

  unmap(removal: MappingRemoval): Promise<boolean> {
    return new Promise((settle) => void this.unmaps.push({ removal, settle }));
  }

  abort(): void {
    this.aborts++;
  }

  /** The call made last. */
  get lastMap(): MapCall {
    const call = this.maps.at(-1);
    if (!call) throw new Error('nothing was mapped');
    return call;
  }
}

export function mapped(leaseSec = 3600, ...remarks: readonly GatewayRemark[]): MappingOutcome {
  return { kind: 'mapped', mapping: { technique: 'upnp', leaseSec, externalAddress: '11.22.33.44' }, remarks };
}

export function refused(...remarks: readonly GatewayRemark[]): MappingOutcome {
  return { kind: 'failed', reason: 'not-mapped', remarks };
}
