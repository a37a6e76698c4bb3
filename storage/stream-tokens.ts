// The tokens by which fronts are admitted: a line each in a file, some with a day until which they hold, so that one can be
// exchanged without a moment in which none holds. The file is read for each front that comes, and while one is connected.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { AppError } from '../shared-protocol/errors.js';
import { isErrno, PRIVATE_FILE_MODE } from './atomic-file.js';

/** Shorter ones could be guessed, and are refused. */
const MIN_TOKEN_LENGTH = 32;
const MADE_BYTES = 32;
const OPEN_TO_ALL = 0o006;

interface Token {
  readonly digest: Buffer;
  /** Unix milliseconds. */
  readonly untilMs: number;
}

export type TokenState = 'valid' | 'expired' | 'unknown';

/** The tokens in the text of a file. @throws AppError `STORAGE_FAILED` that names the line */
export function parseTokens(text: string, file: string): readonly Token[] {
  return text.split('\n').flatMap((line, index) => {
    const [token = '', until] = line.trim().split(/\s+/);
    if (token === '' || token.startsWith('#')) return [];
    const fault = (reason: string) =>
      new AppError('STORAGE_FAILED', `token file ${file}, line ${index + 1}: ${reason}`);
    if (token.length < MIN_TOKEN_LENGTH) throw fault(`shorter than ${MIN_TOKEN_LENGTH} characters`);
    const untilMs = until === undefined ? Infinity : Date.parse(until);
    if (Number.isNaN(untilMs)) throw fault(`${until} is no time, e.g. 2027-01-31T00:00:00Z`);
    return [{ digest: digestOf(token), untilMs }];
  });
}

/** Compared by digests in a time that says nothing of either. Pure. */
export function judgeToken(tokens: readonly Token[], given: string, unixMs: number): TokenState {
  const digest = digestOf(given);
  // All are looked at, whichever it is.
  const found = tokens.filter((token) => timingSafeEqual(token.digest, digest));
  if (found.length === 0) return 'unknown';
  return found.some(({ untilMs }) => unixMs < untilMs) ? 'valid' : 'expired';
}

export class TokenFile {
  constructor(
    private readonly file: string,
    private readonly unixMs: () => number,
  ) {}

  /** Makes the file with one token, where there is none; true: it did. @throws AppError `STORAGE_FAILED` */
  async make(): Promise<boolean> {
    try {
      const handle = await open(this.file, 'wx', PRIVATE_FILE_MODE);
      try {
        await handle.writeFile(`${randomBytes(MADE_BYTES).toString('hex')}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return true;
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return false;
      throw new AppError('STORAGE_FAILED', `token file ${this.file}: ${reasonOf(error)}`);
    }
  }

  /** @throws AppError `STORAGE_FAILED` */
  async judge(given: string): Promise<TokenState> {
    return judgeToken(await this.#read(), given, this.unixMs());
  }

  /** @throws AppError `STORAGE_FAILED`: not readable, or no token in it */
  async check(): Promise<void> {
    if ((await this.#read()).length === 0)
      throw new AppError('STORAGE_FAILED', `token file ${this.file}: no token in it`);
  }

  /** Whether users of the machine may read or change it who are neither its owner nor of its group. @throws system errors */
  async isOpenToAll(): Promise<boolean> {
    return ((await stat(this.file)).mode & OPEN_TO_ALL) !== 0;
  }

  async #read(): Promise<readonly Token[]> {
    const text = await readFile(this.file, 'utf8').catch((error: unknown) => {
      throw new AppError('STORAGE_FAILED', `token file ${this.file}: ${reasonOf(error)}`);
    });
    return parseTokens(text, this.file);
  }
}

/** The token that a front has: the first of such a file. @throws AppError `STORAGE_FAILED` */
export async function firstToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new AppError('STORAGE_FAILED', `token file ${file}: ${reasonOf(error)}`);
  });
  if (parseTokens(text, file).length === 0) throw new AppError('STORAGE_FAILED', `token file ${file}: no token in it`);
  const line = text.split('\n').find((each) => each.trim() !== '' && !each.trim().startsWith('#')) ?? '';
  return line.trim().split(/\s+/)[0] ?? '';
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
