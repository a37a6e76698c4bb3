// `swarmd user …`: accounts.
import { Command } from 'commander';
import type { UserDto } from '../../shared-protocol/dto/accounts.js';
import type { Context } from '../context.js';
import { userNamed, usersOf } from '../daemon/users.js';
import { CommandFailed, EXIT } from '../exit-codes.js';
import { moment } from '../output/quantities.js';
import { printJson, printTable, type Column } from '../output/print.js';
import { command, runs, several, type Defining } from './define.js';

/** Permissions by the words of the command line. */
const PERMISSIONS = {
  add: 'perm_add_torrents',
  rss: 'perm_manage_rss',
  labels: 'perm_manage_cat_tags',
  settings: 'perm_change_settings',
  share: 'perm_share',
} as const;
type PermissionWord = keyof typeof PERMISSIONS;
const WORDS = Object.keys(PERMISSIONS) as readonly PermissionWord[];

interface AddFlags {
  readonly admin?: boolean;
  readonly allow?: readonly string[];
  readonly home?: string;
}

const COLUMNS: readonly Column<UserDto>[] = [
  { title: 'ID', text: ({ id }) => String(id), isNumeric: true },
  { title: 'NAME', text: ({ username }) => username },
  { title: 'ROLE', text: ({ role, disabled }) => (disabled ? `${role}, disabled` : role) },
  { title: 'ALLOWED', text: allowedTo },
  { title: 'HOME', text: ({ home }) => home },
  { title: 'CREATED', text: ({ created_at }) => moment(created_at), raw: ({ created_at }) => created_at },
];

export function userCommand(defining: Defining): Command {
  const list = runs(command('list', 'list accounts').alias('ls'), defining, async (context) => {
    const users = await usersOf(await context.api());
    if (context.isJson) return printJson(context.terminal, users);
    printTable(context.terminal, COLUMNS, users);
  });
  const add = command('add <name>', 'make an account; its password is asked for, or read from standard input')
    .option('--admin', 'an administrator')
    .option('--allow <what>', `a permission: ${WORDS.join(', ')}; may be repeated`, several)
    .option('--home <dir>', 'the folder that all its files lie in');
  const remove = command('remove <name>', 'delete an account; its torrents go to the main administrator').alias('rm');
  const password = command('password <name>', 'set the password of an account, which signs it out everywhere');
  const parent = new Command('user').description('accounts: list, add, remove, password');
  for (const made of [
    list,
    runs<AddFlags>(add, defining, addUser),
    runs(remove, defining, async (context, [name = '']) => {
      const api = await context.api();
      const { id } = await userNamed(api, name);
      await api.call('DELETE', `/api/users/${id}`);
      context.say(`deleted: ${name}`);
    }),
    runs(password, defining, async (context, [name = '']) => {
      const api = await context.api();
      const { id } = await userNamed(api, name);
      await api.call('POST', `/api/users/${id}/password`, { new_password: await newPassword(context) });
      context.say(`password set: ${name}`);
    }),
  ]) {
    parent.addCommand(made);
  }
  return parent;
}

async function addUser(context: Context, [username = '']: readonly string[], flags: AddFlags): Promise<void> {
  const { admin, allow = [], home } = flags;
  const permissions = allow.map((word) => {
    const found = WORDS.find((one) => one === word);
    if (!found)
      throw new CommandFailed(`--allow: expected one of ${WORDS.join(', ')}, not ${JSON.stringify(word)}`, EXIT.usage);
    return [PERMISSIONS[found], true] as const;
  });
  const api = await context.api();
  const user = await api.call<UserDto>('POST', '/api/users', {
    username,
    password: await newPassword(context),
    ...(admin && { role: 'admin' }),
    ...(home !== undefined && { home }),
    ...Object.fromEntries(permissions),
  });
  if (context.isJson) return printJson(context.terminal, user);
  context.say(`made: ${user.username}`);
}

function newPassword(context: Context): Promise<string> {
  return context.secret('Password (8 characters at least): ');
}

function allowedTo(user: UserDto): string {
  if (user.role === 'admin') return 'everything';
  return WORDS.filter((word) => user[PERMISSIONS[word]]).join(', ');
}
