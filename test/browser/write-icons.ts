// Writes the icons of the page that have to be PNG, from its SVG: `npm run icons`, after the SVG was changed. What is
// written is committed, so that a build needs no browser.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from './chromium.js';

const FOLDER = join('api', 'web', 'public');
/** Of a maskable icon only the middle four fifths are always seen (W3C, Web App Manifest, "Icon masks"). */
const ICONS = [
  { name: 'favicon.png', size: 64, scale: 1, corners: true },
  { name: 'favicon-busy.png', of: 'favicon-busy.svg', size: 64, scale: 1, corners: true },
  { name: 'icon-192.png', size: 192, scale: 1, corners: true },
  { name: 'icon-512.png', size: 512, scale: 1, corners: true },
  { name: 'icon-maskable-512.png', size: 512, scale: 0.8, corners: false },
];
const GROUND = '#2563eb';

const browser = await launchChromium();
try {
  for (const { name, of = 'favicon.svg', size, scale, corners } of ICONS) {
    const svg = await readFile(join(FOLDER, of), 'utf8');
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const ground = corners ? 'transparent' : GROUND;
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}">` +
        svg.replace('<svg', `<svg width="${size * scale}" height="${size * scale}"`),
    );
    await page.screenshot({ path: join(FOLDER, name), omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
