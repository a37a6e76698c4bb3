// Texts of what the browser leaves to the page: magnet links, torrent files, things that are shared.
export const handlers = {
  title: 'This browser',
  about:
    'Open magnet links from other sites here. Installed as an app, Swarmd also opens .torrent files and appears where links are shared.',
  register: 'Open magnet links with Swarmd',
  asked: 'Confirm in your browser if it asks. Magnet links then open here, and nothing is added before you say so.',
  insecure: 'Browsers allow this only over HTTPS or on this machine (localhost).',
  unsupported: 'This browser cannot open magnet links with a site.',
  failed: 'The browser refused: {reason}',
} as const;
