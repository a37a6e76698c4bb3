// What people edit and is small, each kind in a file of its own (docs/architecture.md#storage).
import type { z } from 'zod';
import type { DataDirectory, DataFileName } from '../../storage/data-directory.js';
import { openCollection } from '../../storage/lowdb-collection.js';
import type { Collection } from '../../storage/types.js';
import { automationsSchema, NO_AUTOMATIONS, type AutomationsData } from '../services/automations/automations.js';
import {
  automationHistorySchema,
  NO_AUTOMATION_HISTORY,
  type AutomationHistoryData,
} from '../services/automations/history.js';
import {
  automationMemorySchema,
  NO_AUTOMATION_MEMORY,
  type AutomationMemoryData,
} from '../services/automations/memory.js';
import { bansSchema, NO_BANS, type BansData } from '../services/blocklist/bans.js';
import { feedsSchema, NO_FEEDS, type FeedsData } from '../services/rss/feeds.js';
import { deliveriesSchema, NO_DELIVERIES, type DeliveriesData } from '../services/hooks/deliveries.js';
import { NO_WEBHOOKS, webhooksSchema, type WebhooksData } from '../services/hooks/webhooks.js';
import { labelsSchema, NO_LABELS, type LabelsData } from '../services/library/labels.js';
import { linksSchema, NO_LINKS, type LinksData } from '../services/library/links.js';
import { NO_REMOVALS, removalsSchema, type RemovalsData } from '../services/library/pending-removals.js';
import { NO_SERVER_MOVES, serverMovesSchema, type ServerMovesData } from '../services/servers/move-records.js';
import { NO_REMOTES, remotesSchema, type RemotesData } from '../services/remotes/remote-records.js';
import { NO_RULES, scheduleSchema, type ScheduleData } from '../services/settings/schedule-rules.js';

export interface Collections {
  readonly bans: Collection<BansData>;
  readonly labels: Collection<LabelsData>;
  readonly links: Collection<LinksData>;
  readonly removals: Collection<RemovalsData>;
  readonly schedule: Collection<ScheduleData>;
  readonly feeds: Collection<FeedsData>;
  readonly webhooks: Collection<WebhooksData>;
  readonly remotes: Collection<RemotesData>;
  readonly serverMoves: Collection<ServerMovesData>;
  readonly deliveries: Collection<DeliveriesData>;
  readonly automations: Collection<AutomationsData>;
  readonly automationHistory: Collection<AutomationHistoryData>;
  readonly automationMemory: Collection<AutomationMemoryData>;
}

export type OnFallback = (file: string, reason: string) => void;

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function openCollections(directory: DataDirectory, onFallback: OnFallback): Promise<Collections> {
  const openOne = <Data>(name: DataFileName, schema: z.ZodType<Data>, defaults: Data): Promise<Collection<Data>> =>
    openCollection(directory.file(name), {
      version: 1,
      defaults,
      migrate: (data) => data,
      validate: (data) => schema.parse(data),
      onFallback,
    });
  const [labels, links, schedule, feeds, webhooks, deliveries] = await Promise.all([
    openOne('labels.json', labelsSchema, NO_LABELS),
    openOne('links.json', linksSchema, NO_LINKS),
    openOne('schedule.json', scheduleSchema, NO_RULES),
    openOne('feeds.json', feedsSchema, NO_FEEDS),
    openOne('webhooks.json', webhooksSchema, NO_WEBHOOKS),
    openOne('deliveries.json', deliveriesSchema, NO_DELIVERIES),
  ]);
  const [removals, bans, remotes, serverMoves] = await Promise.all([
    openOne('removals.json', removalsSchema, NO_REMOVALS),
    openOne('bans.json', bansSchema, NO_BANS),
    openOne('remotes.json', remotesSchema, NO_REMOTES),
    openOne('server-moves.json', serverMovesSchema, NO_SERVER_MOVES),
  ]);
  const [automations, automationHistory, automationMemory] = await Promise.all([
    openOne('automations.json', automationsSchema, NO_AUTOMATIONS),
    openOne('automation-history.json', automationHistorySchema, NO_AUTOMATION_HISTORY),
    openOne('automation-memory.json', automationMemorySchema, NO_AUTOMATION_MEMORY),
  ]);
  const automatic = { automations, automationHistory, automationMemory };
  return { removals, bans, remotes, serverMoves, labels, links, schedule, feeds, webhooks, deliveries, ...automatic };
}
