// What people edit and is small, each kind in a collection of its own (docs/architecture.md#storage).
import type { z } from 'zod';
import type { StateName } from '../../storage/data-directory.js';
import { firstShape } from '../../storage/collection-shape.js';
import type { Collection, StateStore } from '../../storage/types.js';
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
import { NO_UPLOAD_MONTH, uploadMonthSchema, type UploadMonthData } from '../services/history/monthly-uploads.js';
import { bansSchema, NO_BANS, type BansData } from '../services/blocklist/bans.js';
import { feedsSchema, NO_FEEDS, type FeedsData } from '../services/rss/feeds.js';
import { deliveriesSchema, NO_DELIVERIES, type DeliveriesData } from '../services/hooks/deliveries.js';
import { NO_WEBHOOKS, webhooksSchema, type WebhooksData } from '../services/hooks/webhooks.js';
import { labelsSchema, NO_LABELS, type LabelsData } from '../services/library/labels.js';
import { linksSchema, NO_LINKS, type LinksData } from '../services/library/links.js';
import { NO_REMOVALS, removalsSchema, type RemovalsData } from '../services/library/pending-removals.js';
import { NO_SERVER_MOVES, serverMovesSchema, type ServerMovesData } from '../services/servers/move-records.js';
import { NO_REMOTES, remotesSchema, type RemotesData } from '../services/remotes/remote-records.js';
import { NO_NODES, nodesSchema, type NodesData } from '../services/fleet/nodes.js';
import { NO_RULES, scheduleSchema, type ScheduleData } from '../services/settings/schedule-rules.js';

export interface Collections {
  readonly bans: Collection<BansData>;
  readonly labels: Collection<LabelsData>;
  readonly links: Collection<LinksData>;
  /** Engines as they share roots. */
  readonly nodes: Collection<NodesData>;
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
  readonly uploadMonth: Collection<UploadMonthData>;
}

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function openCollections(store: StateStore): Promise<Collections> {
  const openOne = <Data>(name: StateName, schema: z.ZodType<Data>, defaults: Data): Promise<Collection<Data>> =>
    store.open(name, firstShape(schema, defaults));
  const [labels, links, schedule, feeds, webhooks, deliveries] = await Promise.all([
    openOne('labels', labelsSchema, NO_LABELS),
    openOne('links', linksSchema, NO_LINKS),
    openOne('schedule', scheduleSchema, NO_RULES),
    openOne('feeds', feedsSchema, NO_FEEDS),
    openOne('webhooks', webhooksSchema, NO_WEBHOOKS),
    openOne('deliveries', deliveriesSchema, NO_DELIVERIES),
  ]);
  const [removals, bans, remotes, serverMoves, nodes, uploadMonth] = await Promise.all([
    openOne('removals', removalsSchema, NO_REMOVALS),
    openOne('bans', bansSchema, NO_BANS),
    openOne('remotes', remotesSchema, NO_REMOTES),
    openOne('server-moves', serverMovesSchema, NO_SERVER_MOVES),
    openOne('nodes', nodesSchema, NO_NODES),
    openOne('upload-month', uploadMonthSchema, NO_UPLOAD_MONTH),
  ]);
  const [automations, automationHistory, automationMemory] = await Promise.all([
    openOne('automations', automationsSchema, NO_AUTOMATIONS),
    openOne('automation-history', automationHistorySchema, NO_AUTOMATION_HISTORY),
    openOne('automation-memory', automationMemorySchema, NO_AUTOMATION_MEMORY),
  ]);
  const automatic = { automations, automationHistory, automationMemory };
  const fleet = { remotes, serverMoves, nodes, uploadMonth };
  return { removals, bans, labels, links, schedule, feeds, webhooks, deliveries, ...fleet, ...automatic };
}
