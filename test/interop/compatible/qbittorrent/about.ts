// Calls of @ctrl/qbittorrent about the program itself.
import type { Step } from '../../../support/compatible/side-by-side.js';
import { pick, type Fields } from './scene.js';

export const ABOUT: readonly Step[] = [
  { name: 'login', run: ({ client }) => client['login']!() },
  {
    name: 'getAppVersion',
    run: async ({ client }) => /^v\d+\.\d+\.\d+$/.test(String(await client['getAppVersion']!())),
  },
  { name: 'version', run: async ({ client }) => typeof (await client['version']!()) },
  {
    name: 'getApiVersion',
    run: async ({ client }) => /^\d+\.\d+\.\d+$/.test(String(await client['getApiVersion']!())),
  },
  { name: 'getDefaultSavePath', run: ({ client }) => client['getDefaultSavePath']!() },
  {
    name: 'getBuildInfo',
    run: async ({ client }) => {
      // Newer than 4.5.2.
      const { platform: _platform, ...build } = (await client['getBuildInfo']!()) as Fields;
      return typesOf(build);
    },
  },
  {
    name: 'getPreferences',
    run: async ({ client }) =>
      pick(
        await client['getPreferences']!(),
        ...['save_path', 'max_ratio_enabled', 'max_ratio_act', 'max_seeding_time_enabled', 'queueing_enabled'],
        ...['autorun_enabled', 'autorun_program', 'dl_limit', 'up_limit'],
      ),
  },
  {
    name: 'setPreferences',
    run: async ({ client }) => {
      const said = await client['setPreferences']!({ dl_limit: 2_048_000, up_limit: 1_024_000, max_ratio_act: 0 });
      return { said, now: pick(await client['getPreferences']!(), 'dl_limit', 'up_limit', 'max_ratio_act') };
    },
  },
  {
    name: 'setPreferences, a queue',
    run: async ({ client }) => {
      // None for both together: Swarmd has a limit for each.
      const queue = { max_active_downloads: 20, max_active_uploads: 20, max_active_torrents: -1 };
      await client['setPreferences']!({ queueing_enabled: true, ...queue });
      return pick(await client['getPreferences']!(), 'queueing_enabled', ...Object.keys(queue));
    },
  },
  {
    name: 'setPreferences, limits taken away',
    run: async ({ client }) => {
      await client['setPreferences']!({ dl_limit: 0, up_limit: 0 });
      return pick(await client['getPreferences']!(), 'dl_limit', 'up_limit');
    },
  },
];

function typesOf(value: unknown): Fields {
  return Object.fromEntries(Object.entries(value as Fields).map(([name, one]) => [name, typeof one]));
}
