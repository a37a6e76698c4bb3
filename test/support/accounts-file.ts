// Accounts as they are stored, in a file of their own.
import { accountsSchema, type AccountsData } from '../../api/auth/account.js';
import { openCollection } from '../../storage/lowdb-collection.js';
import type { Collection } from '../../storage/types.js';

export function openAccountsFile(file: string): Promise<Collection<AccountsData>> {
  return openCollection(file, {
    version: 1,
    defaults: { next_id: 1, accounts: [] },
    migrate: (data) => data,
    validate: (data) => accountsSchema.parse(data),
  });
}
