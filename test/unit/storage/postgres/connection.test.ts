// Connection strings: how the database is named by them, and what of a password is never taken for a name.
import t from 'tap';
import { parseConnectionString } from '../../../../storage/postgres/connection.js';

void t.test('a database is named by where it is', async (t) => {
  const names = {
    'postgres://me:secret@db.example:6432/swarmd': 'swarmd at db.example:6432',
    'postgresql://me@db.example/swarmd?sslmode=verify-full': 'swarmd at db.example:5432',
    'postgres://me:p%40ss%23w%2Frd@[::1]/swarmd': 'swarmd at ::1:5432',
    'postgres://me:secret@/swarmd?host=/run/postgresql': 'swarmd at /run/postgresql',
    'postgres://db.example/swarmd?user=me&password=secret': 'swarmd at db.example:5432',
  };
  for (const [text, name] of Object.entries(names)) {
    t.equal(parseConnectionString(text).name, `PostgreSQL database ${name}`, text);
  }
});

void t.test('a password that is not escaped is refused, and not shown', async (t) => {
  const texts = [
    'postgres://me:12/secret@db.example/swarmd',
    'postgres://me:12#secret@db.example/swarmd',
    'postgres://me:12?secret@db.example/swarmd',
    'postgres://me:secret@db.example:port/swarmd',
    'host=db.example password=secret',
    'secret',
    '',
  ];
  for (const text of texts) {
    t.throws(() => parseConnectionString(text), {
      code: 'STORAGE_FAILED',
      message: 'storage: the connection string is not postgres://user@host/database',
      cause: undefined,
    });
  }
});
