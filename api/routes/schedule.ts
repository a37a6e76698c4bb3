// docs/api.md, "Schedule rules": other speed limits at certain times of the week.
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import { newRuleSchema, ruleListSchema, ruleSchema } from '../../shared-protocol/dto/schedule.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

export const scheduleRoutes = {
  'GET /api/schedule_rules': accountRoute({
    gate: 'account',
    summary: 'All rules',
    input: noInput,
    output: ruleListSchema,
    handle: (_input, { services }) => [...services.scheduleRules.all],
  }),
  'POST /api/schedule_rules': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Makes a rule',
    input: jsonInput(newRuleSchema),
    output: newIdSchema,
    handle: async (rule, { services }) => ({ id: await services.scheduleRules.create(rule) }),
  }),
  'PUT /api/schedule_rules': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Changes a rule',
    input: jsonInput(ruleSchema),
    output: okSchema,
    errors: { 404: 'no such rule' },
    handle: (rule, { services }) => services.scheduleRules.change(rule),
  }),
  'DELETE /api/schedule_rules/{id}': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Deletes a rule',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such rule' },
    handle: (_input, context) => context.services.scheduleRules.delete(numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
