// Where the daemon is and with which key it is asked: as the flags or the environment say, else the one that runs on this
// machine, by what it keeps in its data directory.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandFailed, EXIT } from '../exit-codes.js';
import type { Terminal } from '../terminal.js';

/** Flags that all commands take. */
export interface WhereFlags {
  readonly url?: string;
  readonly keyFile?: string;
  readonly ca?: string;
  readonly dataDir?: string;
}

export interface FoundDaemon {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** Certificates in PEM that its own is signed by; null: the system's. */
  readonly ca: string | null;
  /** null: it is elsewhere. */
  readonly dataDir: string | null;
  /** null: it is elsewhere. */
  readonly pid: number | null;
}

const runtimeSchema = z.object({ pid: z.int(), http_url: z.string() });

export function dataDirOf({ dataDir }: WhereFlags, { env }: Pick<Terminal, 'env'>): string {
  const given = dataDir ?? env['SWARMD_DATA_DIR'];
  return given || join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'swarmd');
}

/** null: none was named. */
export function databaseFileOf(
  { databaseFile }: { readonly databaseFile?: string | undefined },
  { env }: Pick<Terminal, 'env'>,
): string | null {
  return databaseFile ?? (env['SWARMD_DATABASE_FILE'] || null);
}

/** @throws CommandFailed where there is none, or no key for it */
export async function findDaemon(flags: WhereFlags, terminal: Pick<Terminal, 'env'>): Promise<FoundDaemon> {
  const { env } = terminal;
  const ca = flags.ca === undefined ? null : await readText(flags.ca, '--ca');
  const given = await keyGiven(flags, env);
  const url = flags.url ?? env['SWARMD_URL'];
  if (url) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new CommandFailed(`--url: expected an http or https address, not ${JSON.stringify(url)}`, EXIT.usage);
    }
    if (given === null) {
      throw new CommandFailed(
        'no API key: give --key-file or SWARMD_API_KEY for a daemon that is elsewhere',
        EXIT.usage,
      );
    }
    return { url: url.replace(/\/+$/, ''), key: given, ca, dataDir: null, pid: null };
  }
  const dataDir = dataDirOf(flags, terminal);
  const running = await runtimeIn(dataDir);
  const key = given ?? (await readText(join(dataDir, 'local-key'), 'the key of the daemon'));
  return { url: running.http_url, key, ca, dataDir, pid: running.pid };
}

async function runtimeIn(dataDir: string): Promise<z.infer<typeof runtimeSchema>> {
  const file = join(dataDir, 'runtime.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new CommandFailed(`${file} may not be read by this user`, EXIT.refused);
    throw new CommandFailed(
      `no daemon runs on ${dataDir} (--data-dir or SWARMD_DATA_DIR names another one, --url one elsewhere)`,
      EXIT.unreachable,
    );
  }
  const parsed = runtimeSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new CommandFailed(`${file} is not understood`, EXIT.failed);
  if (parsed.data.http_url === '') {
    throw new CommandFailed('the daemon does not listen (the web interface is switched off)', EXIT.unreachable);
  }
  return parsed.data;
}

async function keyGiven({ keyFile }: WhereFlags, env: Terminal['env']): Promise<string | null> {
  if (keyFile !== undefined) return readText(keyFile, '--key-file');
  return env['SWARMD_API_KEY'] || null;
}

async function readText(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(`${what}: cannot read ${file}: ${message}`, code === 'EACCES' ? EXIT.refused : EXIT.failed);
  }
}
