// What a command reads and writes, so that tests can be the terminal.
export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A line from a person; null where nobody is there to ask. */
  readonly ask: (question: string) => Promise<string | null>;
  /** All of standard input. */
  readonly readInput: () => Promise<Buffer>;
}
