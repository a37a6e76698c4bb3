// The interface that everything is bound to, watched: it may go, come back with another index, and change its
// addresses. That nothing leaves by another one meanwhile is the kernel's doing; here is known when sockets are to be
// made anew.
import { networkInterfaces } from 'node:os';
import type { Clock, Timer } from '../clock.js';
import { deviceCalls, type DeviceCalls } from './device-calls.js';
import { findBinding, type FoundBinding, type Interfaces } from './find-binding.js';
import type { BindingFault, BindingState } from './network-options.js';

/** Between two looks: no spec value; each takes 0.1 ms. */
const LOOK_MS = 1_000;

export interface BindingWatchDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** Called after each change but the one that `set` makes. */
  readonly onChange: () => void;
  /** @default os.networkInterfaces */
  readonly interfaces?: () => Interfaces;
  /** @default by koffi */
  readonly calls?: () => DeviceCalls | null;
}

type Held = Extract<FoundBinding, { readonly kind: 'found' }>;
type Finding = Held | { readonly kind: 'absent'; readonly fault: BindingFault };

export class BindingWatch {
  #bind: string | null = null;
  #finding: Finding | null = null;
  #timer: Timer | null = null;

  constructor(private readonly deps: BindingWatchDeps) {}

  get state(): BindingState {
    const finding = this.#finding;
    if (finding === null) return { kind: 'open' };
    if (finding.kind === 'absent') return { kind: 'closed', fault: finding.fault };
    return { kind: 'bound', device: finding.device, addresses: finding.addresses };
  }

  /** The interface while it is there; null otherwise, and where none was asked for. */
  get held(): Held | null {
    return this.#finding?.kind === 'found' ? this.#finding : null;
  }

  /** null: no binding. In force when it returns. */
  set(bind: string | null): void {
    this.close();
    this.#bind = bind;
    this.#finding = bind === null ? null : this.#find(bind);
    if (bind !== null) this.#lookLater();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #lookLater(): void {
    this.#timer = this.deps.clock.after(LOOK_MS, () => {
      this.#lookLater();
      this.#look();
    });
  }

  #look(): void {
    const bind = this.#bind;
    if (bind === null) return;
    const before = this.#finding;
    this.#finding = this.#find(bind);
    if (before === null || !isSame(before, this.#finding)) this.deps.onChange();
  }

  #find(bind: string): Finding {
    const calls = (this.deps.calls ?? deviceCalls)();
    if (!calls) return { kind: 'absent', fault: 'unsupported' };
    const found = findBinding(bind, (this.deps.interfaces ?? networkInterfaces)(), (device) => calls.indexOf(device));
    if (found.kind === 'absent' || this.#finding?.kind === 'found') return found;
    return mayBind(calls, found.device) ? found : { kind: 'absent', fault: 'refused' };
  }
}

/** Whether sockets that were made for the one go on with the other. */
function isSame(one: Finding, other: Finding): boolean {
  if (one.kind === 'absent' || other.kind === 'absent') {
    return one.kind === 'absent' && other.kind === 'absent' && one.fault === other.fault;
  }
  const { device, index, addresses } = one;
  return device === other.device && index === other.index && addresses.join() === other.addresses.join();
}

/** Asks the kernel, when there is an interface where there was none. */
function mayBind(calls: DeviceCalls, device: string): boolean {
  try {
    calls.close(calls.open({ type: 'udp', family: 4, device, local: null }));
    return true;
  } catch {
    return false;
  }
}
