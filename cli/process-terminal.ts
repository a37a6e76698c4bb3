// The terminal that the process has.
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import type { Terminal } from './terminal.js';

export function processTerminal(): Terminal {
  const { stdin, stdout: out, stderr: err, env } = process;
  // `swarmd list | head` closes it early, which is no failure.
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    out,
    err,
    env,
    async ask(question) {
      if (!stdin.isTTY) return null;
      const lines = createInterface({ input: stdin, output: err });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    readInput: () => buffer(stdin),
  };
}
