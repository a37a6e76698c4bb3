// How the commands end, for scripts (docs/operate/command-line.md).
export const EXIT = {
  done: 0,
  /** Nothing of it was done. */
  failed: 1,
  /** The command line is not understood. */
  usage: 2,
  /** Some of several torrents were done, others not. */
  partly: 3,
  /** No daemon answers. */
  unreachable: 4,
  /** The daemon does not let the caller do that. */
  refused: 5,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end with a sentence for the person at the terminal. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.failed,
  ) {
    super(message);
  }
}
