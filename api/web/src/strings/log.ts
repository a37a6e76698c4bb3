// Texts of the page that shows the log of the service.
export const log = {
  title: 'Log',
  about: 'What Swarmd has logged since it was started, newest first. Passwords and passkeys are hidden.',
  level: 'Level',
  from: { debug: 'Everything', info: 'Info and above', warn: 'Warnings and errors', error: 'Errors' },
  levels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
  part: 'Source',
  everyPart: 'All',
  parts: { api: 'Service', engine: 'Engine' },
  search: 'Search the log',
  live: 'Update automatically',
  download: 'Download',
  atLevel: 'Swarmd logs level “{level}” and above; start it with --log-level debug to see more.',
  none: 'No matching lines.',
  lines: 'Log lines',
} as const;
