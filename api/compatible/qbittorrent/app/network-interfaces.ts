// app/networkInterface*: by what this machine can reach others, for those who may change settings; to others there is none.
import { networkInterfaces } from 'node:os';
import { hasPermission } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import { json } from '../answers.js';
import type { Answer, Call } from '../row.js';

export function interfaces(call: Call): Answer {
  return json(Object.keys(shownTo(call)).map((name) => ({ name, value: name })));
}

/** Addresses of the interface that is named, or of all. @throws RequestError `BODY_INVALID` */
export function interfaceAddresses(call: Call): Answer {
  const name = call.fields.text('iface');
  if (name === undefined) throw new RequestError('BODY_INVALID', 'iface: required');
  const wanted = Object.entries(shownTo(call)).filter(([other]) => name === '' || other === name);
  return json(wanted.flatMap(([, entries = []]) => entries.map(({ address }) => address)));
}

function shownTo({ principal }: Call): ReturnType<typeof networkInterfaces> {
  return hasPermission(principal.account, 'perm_change_settings') ? networkInterfaces() : {};
}
