// `swarmd import`: torrents of another program, taken over by the daemon from that program's state (docs/operate/import.md): a directory
// of its machine, or an archive that is sent. What this does then is wait and tell: interrupted, the import goes on.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';
import {
  IMPORT_SOURCES,
  type ImportBody,
  type ImportDto,
  type ImportedSettingDto,
  type ImportedTorrentDto,
  type ImportReportDto,
} from '../../shared-protocol/dto/imports.js';
import type { Context } from '../context.js';
import type { ApiClient } from '../daemon/api-client.js';
import { forgetArchive, namingFile, sendArchive } from '../daemon/send-archive.js';
import { userNamed } from '../daemon/users.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { plain, printJson } from '../output/print.js';
import { command, runs, several, type Defining } from './define.js';
import { mappingOf } from './mapping.js';

interface Flags {
  readonly from: ImportBody['from'];
  readonly archive?: string;
  readonly map?: readonly string[];
  readonly user?: string;
  readonly paused?: boolean;
  readonly settings?: boolean;
  readonly firstLabelIsCategory?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly verbose?: boolean;
}

const LOOK_EVERY_MS = 200;

export function importCommand(defining: Defining): Command {
  const made = command(
    'import [directory]',
    'take over the torrents of another program from the directory of its state, or an archive of it',
  )
    .addOption(new Option('--from <program>', 'whose state it is').choices(IMPORT_SOURCES).makeOptionMandatory())
    .option('-a, --archive <file>', 'a .zip, .tar or .tar.gz of that directory on this machine, in place of it')
    .option('-n, --dry-run', 'add nothing, and tell what would come and what cannot')
    .option('-m, --map <old=new>', 'the beginning of paths there, and what it is here; may be repeated', several)
    .option('-u, --user <name>', 'the account that is to own them')
    .option('--paused', 'add all of them paused')
    .option('--first-label-is-category', 'of several labels the first one becomes the category, the others tags')
    .option('--settings', 'its settings, feeds and rules come along, in place of those here')
    .option('--force', 'also while that program seems to run')
    .option('-v, --verbose', 'at a terminal too, a line for each torrent');
  return runs<Flags>(made, defining, async (context, [directory], flags) => {
    const { archive } = flags;
    if ((directory === undefined) === (archive === undefined))
      throw new CommandFailed('give either a directory or --archive FILE', EXIT.usage);
    const api = await context.api();
    const body = await bodyOf(api, flags);
    const report =
      archive === undefined
        ? await followed(context, api, { ...body, path: pathThere(api, directory!) })
        : await fromArchive(context, api, archive, body);
    context.exitCode = exitCodeOf(report);
    if (context.isJson) return printJson(context.terminal, report);
    tell(context, report, flags.verbose === true);
  });
}

async function fromArchive(
  context: Context,
  api: ApiClient,
  file: string,
  body: Partial<ImportBody>,
): Promise<ImportReportDto> {
  const archive = await sendArchive(context, api, file);
  try {
    return await followed(context, api, { ...body, archive });
  } catch (error) {
    throw namingFile(file, error);
  } finally {
    await forgetArchive(api, archive);
  }
}

function pathThere(api: ApiClient, directory: string): string {
  return api.daemon.pid === null ? directory : resolve(directory);
}

async function bodyOf(api: ApiClient, flags: Flags): Promise<Partial<ImportBody>> {
  const { from, map = [], user, paused, settings, firstLabelIsCategory, dryRun, force } = flags;
  return {
    from,
    map: map.map(mappingOf),
    ...(user !== undefined && { user_id: (await userNamed(api, user)).id }),
    ...(paused && { paused }),
    ...(settings && { settings }),
    ...(firstLabelIsCategory && { first_label_is_category: true }),
    ...(dryRun && { dry_run: true }),
    ...(force && { force }),
  };
}

/** Begins it. Returns the whole report, once it has ended. */
async function followed(
  { terminal, isJson }: Context,
  api: ApiClient,
  body: Partial<ImportBody>,
): Promise<ImportReportDto> {
  const begun = await api.call<ImportDto>('POST', '/api/import', body);
  const hasBar = terminal.err.isTTY && !isJson;
  const bar = hasBar
    ? new SingleBar({
        format: '{bar} {value} of {total}',
        hideCursor: true,
        stream: terminal.err,
        clearOnComplete: true,
      })
    : null;
  bar?.start(begun.total, 0);
  const torrents: ImportedTorrentDto[] = [];
  try {
    for (;;) {
      const seen = await api.call<ImportReportDto>('GET', `/api/import/${begun.id}?offset=${torrents.length}`);
      torrents.push(...seen.torrents);
      bar?.update(torrents.length);
      if (torrents.length < seen.done) continue;
      if (seen.state !== 'running') return { ...seen, torrents };
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    bar?.stop();
  }
}

function exitCodeOf({ state, skipped, total }: ImportReportDto): Context['exitCode'] {
  if (state !== 'done' || (total > 0 && skipped === total)) return EXIT.failed;
  return skipped > 0 ? EXIT.partly : EXIT.done;
}

function tell(context: Context, report: ImportReportDto, isVerbose: boolean): void {
  const { terminal } = context;
  const { torrents, notes, settings, state, error, dry_run: isDryRun } = report;
  if (!terminal.out.isTTY || isVerbose) for (const torrent of torrents) context.say(lineOf(torrent));
  for (const setting of settings) tellSetting(context, setting);
  for (const note of notes) context.warn(plain(note));
  for (const { name, record, result, reason } of torrents)
    if (result === 'skipped') context.warn(`${plain(name || record)}: ${plain(reason ?? '')}`);
  for (const [note, names] of grouped(torrents)) {
    const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
    context.warn(`${plain(names[0]!)}${others}: ${plain(note)}`);
  }
  const { imported, magnets, existed, skipped, done, total } = report;
  const counts = `${imported} imported, ${magnets} magnets, ${existed} there already, ${skipped} skipped`;
  terminal.err.write(`${isDryRun ? 'dry run: ' : ''}${counts}${done < total ? `, ${total - done} left` : ''}\n`);
  if (state === 'failed') throw new CommandFailed(error ?? 'not done');
  if (state === 'cancelled') throw new CommandFailed('it was cancelled');
}

function tellSetting(context: Context, { name, from, to, result, reason }: ImportedSettingDto): void {
  const because = reason === null ? '' : `: ${reason}`;
  if (result === 'left_out') context.warn(plain(`${name} is not taken over${because}`));
  else if (context.terminal.out.isTTY) {
    const change = result === 'same' ? 'as it is' : `${from ?? 'none'} → ${to ?? ''}`;
    context.say(plain(`${name}: ${change}${reason === null ? '' : ` (${reason})`}`));
  } else context.say(['setting', result, name, from ?? '', to ?? '', reason ?? ''].map(plain).join('\t'));
}

function lineOf({ result, infohash, name, save_path: savePath, reason, record }: ImportedTorrentDto): string {
  return [result, infohash ?? '', name || record, savePath, reason ?? ''].map(plain).join('\t');
}

/** Names of the torrents that a note was made on, by the note. */
function grouped(torrents: readonly ImportedTorrentDto[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { notes, name, record } of torrents)
    for (const note of notes) names.set(note, [...(names.get(note) ?? []), name || record]);
  return names;
}
