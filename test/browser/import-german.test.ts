// A report of an import on a German page: names of settings, their values, reasons and notes are German as well.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { writeOldFiles, writeOldTorrents } from '../support/import/old-torrents.js';
import { makeScratch } from '../support/peers/scratch.js';
import { speakAll } from '../support/texts.js';
import { openPage, testInBrowser } from './chromium.js';
import { englishIn } from './german.js';

const LAST_YEAR = 1_700_000_000;
const WHOLE = [{ name: 'erste.iso' }];
const ASTRAY = [{ name: 'zweite.iso' }];
const CONFIG = [
  '[BitTorrent]',
  'Session\\GlobalDLSpeedLimit=1500',
  'Session\\AlternativeGlobalUPSpeedLimit=20',
  'Session\\GlobalMaxSeedingMinutes=60',
  'Session\\IPFilteringEnabled=true',
  'Session\\IPFilter=/l.p2p',
].join('\n');

t.setTimeout(120_000);

void testInBrowser(t, 'a report of an import on a German page', async (t, browser) => {
  await speakAll('de');
  const scratch = await makeScratch('browser-import-german');
  t.teardown(() => scratch.remove());
  const old = join(scratch.path, 'qBittorrent');
  const backup = join(old, 'BT_backup');
  const daemon = await startDaemon({ args: ['--import-paths', scratch.path] });
  t.teardown(() => daemon.stop());
  await writeOldFiles(daemon.savePath, WHOLE);
  const [whole = ''] = await writeOldTorrents(backup, daemon.savePath, WHOLE, LAST_YEAR);
  await setInRecord(join(backup, `${whole}.fastresume`), { super_seeding: 1 });
  await writeOldTorrents(backup, 'irgendwo/hier', ASTRAY, LAST_YEAR);
  await writeFile(join(backup, `${'0'.repeat(40)}.fastresume`), 'de');
  await mkdir(join(old, 'config'));
  await writeFile(join(old, 'config', 'qBittorrent.conf'), CONFIG);
  const { page, complaints } = await openPage(browser, { locale: 'de-DE' });
  await page.goto(daemon.url);
  await page.getByLabel('Benutzername').fill('admin');
  await page.getByLabel('Passwort').fill(daemon.adminPassword);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('Noch keine Torrents').waitFor();
  await page.goto(`${daemon.url}/settings/import`);
  await page.getByLabel('Ordner mit seinen Daten').fill(old);
  const dryRun = page.getByRole('button', { name: 'Probelauf' });

  await t.test('reasons and notes of torrents, and notes of the whole', async (t) => {
    await dryRun.click();
    await page.getByText('1 Torrent kann importiert werden · 2 können nicht importiert werden').waitFor();
    for (const [name, said] of [
      ['erste.iso', 'Super-Seeding wird nicht übernommen'],
      ['irgendwo/hier', 'Absoluten Pfad eingeben, z. B. /data/torrents.'],
      ['0000', /fastresume: hat weder eine .torrent-Datei neben sich noch einen Hash der Version 1 in sich$/],
    ] as const) {
      await row(page, 'Torrents', name).getByText(said).waitFor();
    }
    await page
      .getByRole('listitem')
      .getByText(
        /weil das nicht gewählt ist: Download-Limit 1\.500 KiB\/s, alternatives Upload-Limit 20 KiB\/s, Seedzeit-Limit 60 min, IP-Filter \/l\.p2p$/,
      )
      .waitFor();
    t.same(await englishIn(page), []);
  });

  await t.test('names of settings, their values, and why one is left out', async (t) => {
    await page.getByLabel('Einstellungen, Feeds und Regeln mitnehmen').check();
    await dryRun.click();
    const setting = (name: string) => row(page, 'Einstellungen, Feeds und Regeln', name);
    await setting('IP-Filter /l.p2p').getByText('Ist eine Datei, und Blocklisten kommen hier von einer URL').waitFor();
    t.match(await setting('Download-Limit').innerText(), /unbegrenzt\s+1\.500 KiB\/s\s+Würde geändert/);
    t.match(await setting('Seedzeit-Limit').innerText(), /unbegrenzt\s+60 min\s+Würde geändert/);
    t.same(await englishIn(page), []);
    t.equal(await page.locator('td[lang], td [lang], li[lang]').count(), 0, 'none says that it is English');
  });

  t.same(complaints, []);
});

/** Values of the record of a torrent in place of those that it has. */
async function setInRecord(path: string, values: object): Promise<void> {
  const record = bencode.decode(await readFile(path)) as object;
  await writeFile(path, bencode.encode({ ...record, ...values }));
}

function row(page: Page, table: string, name: string) {
  return page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: name });
}
