// A service that works by itself, from the moment the program listens until it is told to stop (app/background.ts).
export interface BackgroundService {
  /** Again after a stop, where other fronts take turns with this one. It must not throw: what goes wrong later goes to the log, and to the next caller that asks. */
  start(): void;
  /** Resolves when nothing of it is under way. */
  stop(): Promise<void> | void;
}
