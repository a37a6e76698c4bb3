// Which limits hold (docs/semantics.md section 8): a rule's own, else the alternative ones, else the global ones.
import t from 'tap';
import { limitsInForce } from '../../../../../api/services/settings/limits-in-force.js';

const LIMITS = { down_kbps: 100, up_kbps: 50, alt_down_kbps: 10, alt_up_kbps: 5, alt_active: false };
const ALWAYS = { days_mask: 127, start_min: 0, end_min: 0, alt_only: false, enabled: true };
const rule = (id: number, down_kbps: number, up_kbps: number) => ({ ...ALWAYS, id, down_kbps, up_kbps });
const altRule = (id: number) => ({ ...rule(id, 1, 1), alt_only: true });
const NOON = { day: 3, minute: 720 };

const GLOBAL = { source: 'global', rule_id: null, down_kbps: 100, up_kbps: 50 };
const alt = (rule_id: number | null) => ({ source: 'alt', rule_id, down_kbps: 10, up_kbps: 5 });
const ruled = (rule_id: number, down_kbps: number, up_kbps: number) => ({
  source: 'rule',
  rule_id,
  down_kbps,
  up_kbps,
});

void t.test('precedence', async (t) => {
  const cases = [
    { name: 'no rule, no toggle: global', rules: [], expected: GLOBAL },
    { name: 'the toggle', isAlt: true, rules: [], expected: alt(null) },
    { name: 'a rule beats the global limits', rules: [rule(1, 7, 8)], expected: ruled(1, 7, 8) },
    { name: 'a rule beats the toggle', isAlt: true, rules: [rule(1, 7, 8)], expected: ruled(1, 7, 8) },
    { name: '0 in a rule is no limit', rules: [rule(1, 0, 0)], expected: ruled(1, 0, 0) },
    { name: 'an alt rule brings the alternative pair, not its own', rules: [altRule(1)], expected: alt(1) },
    { name: 'an alt rule and the toggle: the user', isAlt: true, rules: [altRule(1)], expected: alt(null) },
    { name: 'lowest id wins', rules: [rule(2, 1, 1), rule(3, 9, 9)], expected: ruled(2, 1, 1) },
    { name: 'non-alt before alt', rules: [altRule(1), rule(2, 7, 8)], expected: ruled(2, 7, 8) },
    { name: 'lowest alt rule', rules: [altRule(4), altRule(5)], expected: alt(4) },
    { name: 'disabled rules do not count', rules: [{ ...rule(1, 7, 8), enabled: false }], expected: GLOBAL },
    { name: 'nor do those of other days', rules: [{ ...rule(1, 7, 8), days_mask: 1 }], expected: GLOBAL },
    {
      name: 'the next one holds where the first does not',
      rules: [{ ...rule(1, 7, 8), enabled: false }, rule(2, 3, 4)],
      expected: ruled(2, 3, 4),
    },
  ];
  for (const { name, isAlt = false, rules, expected } of cases) {
    t.same(limitsInForce({ ...LIMITS, alt_active: isAlt }, rules, NOON), expected, name);
  }
});
