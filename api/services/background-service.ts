// A service that works by itself, from the moment the program listens until it is told to stop (app/background.ts).
export interface BackgroundService {
  /** Once. It must not throw: what goes wrong later goes to the log, and to the next caller that asks. */
  start(): void;
  /** For good. Resolves when nothing of it is under way. */
  stop(): Promise<void> | void;
}
