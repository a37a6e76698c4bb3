// torrents/add: each part with a file name is a torrent file, each line of `urls` a URL, a magnet or a bare info hash. All
// fields, paths and files are judged before anything is made or added.
import type { AddingBody } from '../../../../shared-protocol/dto/adding.js';
import { forEachLimit } from '../../../../shared-protocol/for-each-limit.js';
import { isMagnetText } from '../../../../shared-protocol/magnet-text.js';
import type { Account } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import { mayPass } from '../../../routes/authorize.js';
import type { Added } from '../../../services/library/adding.js';
import { FAILS } from '../answers.js';
import { changing, type Answer, type Call, type RouteTable } from '../row.js';
import { beginningIn } from './add-fields.js';
import { answerTo, outcomeOf, refusal, type Outcome } from './add-outcome.js';
import { categoryFor, tagsFor } from '../../labelling.js';

const GATE = 'perm_add_torrents';
/** Lines of `urls`; no spec value: as many as there may be files. */
const MAX_URLS = 200;
/** URLs of one request that are fetched side by side. */
const FETCHES_AT_A_TIME = 4;

export const addRoutes = { 'torrents/add': changing(add, GATE) } as const satisfies RouteTable;

type Source = (account: Account, beginning: AddingBody) => Promise<Added>;

/** Sources that are there already come one after the other, in their order. */
interface Sources {
  readonly given: readonly Source[];
  readonly toFetch: readonly Source[];
}

async function add(call: Call): Promise<Answer> {
  const { services, fields, files, principal } = call;
  const asked = beginningIn(fields);
  const makeCategory = categoryFor(call, fields.text('category')?.trim() ?? '');
  const makeTags = tagsFor(call, fields.list('tags', ','));
  const { given, toFetch } = sourcesIn(call);
  if (given.length + toFetch.length === 0) return FAILS();
  try {
    await services.adding.judge(principal.account, asked);
    for (const file of files) await services.inspecting.file(principal.account, file);
  } catch (error) {
    return refusal(error);
  }
  const beginning = { ...asked, category_id: await makeCategory(), tags: await makeTags() };
  const outcomes: Outcome[] = [];
  const addOne = async (source: Source) => {
    outcomes.push(await outcomeOf(source(accountNow(call), beginning)));
  };
  await forEachLimit(given, 1, addOne);
  await forEachLimit(toFetch, FETCHES_AT_A_TIME, addOne);
  return answerTo(outcomes);
}

/** Lines that name nothing are left out. @throws RequestError `BODY_INVALID` for too many */
function sourcesIn({ services: { adding }, fields, files }: Call): Sources {
  const lines = fields.list('urls', '\n');
  if (lines.length > MAX_URLS) throw new RequestError('BODY_INVALID', `urls: at most ${MAX_URLS}`);
  const ofFile = (bytes: Uint8Array): Source => {
    return (account, beginning) => adding.addSource(account, { kind: 'metainfo', bytes }, beginning);
  };
  const ofLine = (line: string): Source => {
    return (account, beginning) => adding.addUrl(account, line, beginning);
  };
  const urls = lines.filter((line) => /^https?:\/\//i.test(line));
  return { given: [...files.map(ofFile), ...lines.filter(isMagnetText).map(ofLine)], toFetch: urls.map(ofLine) };
}

/** The account as it is now: rights may have been taken away since the first source was added. @throws RequestError `FORBIDDEN` */
function accountNow({ services, principal }: Call): Account {
  const account = services.accounts.find(principal.account.id);
  if (!account || account.disabled || !mayPass(account, GATE)) throw new RequestError('FORBIDDEN');
  return account;
}
