// What every transport has in common: calls with deadlines, a gauge of pending ones, and rejection of all of them
// when the engine is gone. A transport only brings `send`.
import { COMMAND_DEADLINES_MS } from './commands/deadlines.js';
import { type CommandName, type CommandParams, type CommandResult, type EngineClient } from './commands.js';
import { AppError, fromErrorRecord, toErrorRecord, type ErrorRecord } from './errors.js';

/** How a handler's outcome crosses: an error never as an exception, so that its code survives. */
export type CallOutcome<Result> =
  { readonly kind: 'done'; readonly value: Result } | { readonly kind: 'failed'; readonly error: ErrorRecord };

export type SendCall = <Name extends CommandName>(
  name: Name,
  params: CommandParams<Name>,
) => Promise<CallOutcome<CommandResult<Name>>>;

/** Calls back once after the time, unless it is cancelled first. */
export type StartTimer = (delayMs: number, callback: () => void) => { cancel(): void };

const startSystemTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return { cancel: () => clearTimeout(timer) };
};

/** Waits for a call's end, however it ends, but not longer than the time given. */
export async function withinTime(timeoutMs: number, call: Promise<unknown>): Promise<void> {
  let timer: ReturnType<StartTimer> | undefined;
  const late = new Promise<void>((resolve) => (timer = startSystemTimer(timeoutMs, resolve)));
  await Promise.race([call.catch(() => undefined), late]);
  timer?.cancel();
}

export class CallTracker {
  readonly #pending = new Set<(reason: AppError) => void>();
  #gone: AppError | null = null;

  constructor(
    private readonly send: SendCall,
    private readonly startTimer: StartTimer = startSystemTimer,
  ) {}

  get pending(): number {
    return this.#pending.size;
  }

  /** Rejects all pending calls and every later one. */
  fail(reason: AppError): void {
    this.#gone ??= reason;
    for (const reject of this.#pending) reject(reason);
    this.#pending.clear();
  }

  /** Rejects with an AppError only: what cannot cross threads is a `BUG`. */
  async call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    if (this.#gone) throw this.#gone;
    let settle: (() => void) | undefined;
    const interrupted = new Promise<never>((_resolve, reject) => {
      const deadlineMs = COMMAND_DEADLINES_MS[name];
      const timer = this.startTimer(deadlineMs, () =>
        reject(new AppError('ENGINE_TIMEOUT', `engine: no answer to ${name} within ${deadlineMs} ms`)),
      );
      this.#pending.add(reject);
      settle = () => {
        timer.cancel();
        this.#pending.delete(reject);
      };
    });
    try {
      const outcome = await Promise.race([this.send(name, params), interrupted]);
      if (outcome.kind === 'failed') throw fromErrorRecord(outcome.error);
      return outcome.value;
    } catch (thrown) {
      throw thrown instanceof AppError ? thrown : fromErrorRecord(toErrorRecord(thrown));
    } finally {
      settle?.();
    }
  }
}

/** The typed client over a tracker, derived from the map of commands. */
export function createEngineClient(calls: CallTracker): EngineClient {
  const names = Object.keys(COMMAND_DEADLINES_MS) as CommandName[];
  const entries = names.map((name) => [name, (params: CommandParams<typeof name>) => calls.call(name, params)]);
  // Object.fromEntries forgets the relation between key and value; the names come from the map of all commands.
  return Object.fromEntries(entries) as EngineClient;
}
