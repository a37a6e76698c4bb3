// Time as both threads are given it: a parameter, so that tests can bring a clock of their own.
import { uptime } from 'node:os';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Wall-clock unix time in milliseconds. */
  unixMs(): number;
  after(delayMs: number, callback: () => void): Timer;
}

/** Milliseconds since the machine began, those it has slept among them, whatever its wall clock is set to. To a hundredth of a second. */
export const sinceBootMs = (): number => uptime() * 1_000;

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The same time; a thread that has nothing else to wait for ends before its timers are due. */
export const backgroundClock: Clock = {
  ...systemClock,
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
