// What `?server_id=auto` does to an add: where one of the servers has the torrent already, nothing; else it goes to the one
// with the most room. Category and tags are those of this service, and on another server those of the same names.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { AddingBody } from '../../shared-protocol/dto/adding.js';
import {
  firstInfoHash,
  infoHashTexts,
  isMagnetText,
  magnetLink,
  magnetParameters,
} from '../../shared-protocol/magnet-text.js';
import { notFound, RequestError } from '../errors.js';
import { UploadBody } from '../services/remotes/ask-remote.js';
import type { NamedLabels, ServerEnd } from '../services/servers/servers.js';
import type { AccountContext, Row } from './route.js';
import { Reply, replyOf } from './reply.js';

/** The fields of the three ways to add, of which one says what. */
type Adding = AddingBody & { readonly magnet?: string; readonly url?: string; readonly file?: Uint8Array };

/** Adds it where there is most room. @throws RequestError `CONFLICT`, `NOT_FOUND` for a category; as the row's own handler */
export async function placed(path: string, row: Row, context: AccountContext, value: Adding): Promise<Reply<unknown>> {
  const { services, principal } = context;
  const { serverPlacement, labels } = services;
  const id = await infohashOf(value, context);
  const [there] = id === null ? [] : await serverPlacement.having(principal.account, id);
  if (there) return new Reply({ ...(value.url === undefined ? { id } : { ok: true }), existed: true, ...there });
  const category = typeof value.category_id === 'number' ? labels.category(value.category_id) : null;
  if (category === undefined) throw notFound('category');
  const named = {
    category: category?.name ?? null,
    tags: (value.tags ?? []).flatMap((tag) => labels.tag(tag)?.name ?? []),
  };
  const server = await serverPlacement.roomiest(principal.account, named.category);
  const place = serverPlacement.placeOf(principal.account, server);
  if (server === null) return withPlace(await row.run(context), place);
  const body = await bodyFor(services.serverEnd(principal.account, server, id ?? ''), value, named);
  const answer = await services.remotes.ask(principal.account, server, { method: 'POST', path, body }, row.output);
  return answer.kind === 'refused' ? replyOf(answer) : withPlace(replyOf(answer), place);
}

async function bodyFor(end: ServerEnd, { category_id: _own, tags: _owns, ...value }: Adding, named: NamedLabels) {
  const { file, ...fields } = { ...value, ...(await end.labelIds(named)) };
  return file ? new UploadBody(file, fields) : fields;
}

function withPlace({ body, headers, afterwards, status }: Reply<unknown>, place: object): Reply<unknown> {
  return new Reply<unknown>({ ...(body as object), ...place }, headers, afterwards, status);
}

/** null: it is no magnet of version 1, and refused as such later. @throws as inspecting it does */
async function infohashOf(value: Adding, { services, principal }: AccountContext): Promise<TorrentId | null> {
  const { file, magnet, url } = value;
  const text = magnet ?? url;
  if (text !== undefined && (magnet !== undefined || isMagnetText(text))) {
    const parameters = magnetParameters(magnetLink(text));
    return firstInfoHash(infoHashTexts(parameters?.get('xt') ?? []));
  }
  if (file) return parsed((await services.inspecting.file(principal.account, file)).id);
  if (text === undefined) throw new AppError('BUG', 'bug: an add says what is added');
  return parsed((await services.inspecting.url(principal.account, text)).id);
}

function parsed(id: string): TorrentId {
  const known = firstInfoHash([id]);
  if (!known) throw new RequestError('TORRENT_REFUSED', 'server_id: auto is for torrents of version 1');
  return known;
}
