import { describe, expect, it } from 'vitest';
import { ALL_RULES, type Budget, bookAndLedger, type Rules } from './book-and-ledger.ts';
import { explore } from './explore.ts';
import { ALL_PROJECTOR_RULES, type ProjectorRules, projector } from './projector.ts';

const STATES_MAX = 1_000_000;

describe('the model of fence, batches and cursors', () => {
  it.each<Budget>([
    { orders: 1, resting: false, crashes: 1, losses: 1, resends: 1 },
    { orders: 2, resting: false, crashes: 1, losses: 0, resends: 1 },
    { orders: 2, resting: true, crashes: 1, losses: 0, resends: 0 },
    { orders: 1, resting: false, crashes: 2, losses: 0, resends: 2 },
  ])(
    'breaks no invariant in any state that $orders orders (resting: $resting), $crashes crashes, $losses losses and $resends resends reach',
    {
      timeout: 400_000,
    },
    (budget) => {
      const { states, violation } = explore(bookAndLedger(ALL_RULES, budget), STATES_MAX);
      process.stdout.write(`book and ledger, ${JSON.stringify(budget)}: ${states} states explored\n`);
      expect(violation).toBeNull();
      expect(states).toBeGreaterThan(5_000);
    },
  );

  it.each(Object.keys(ALL_RULES) as (keyof Rules)[])('finds what goes wrong without the rule %s', (rule) => {
    const rules = { ...ALL_RULES, [rule]: false };
    const cancels = { orders: 2, resting: true, crashes: 1, losses: 0, resends: 0 };
    const fills = { orders: 1, resting: false, crashes: 1, losses: 1, resends: 1 };
    const budget = rule === 'cancelsAreStored' ? cancels : fills;
    const { violation } = explore(bookAndLedger(rules, budget), STATES_MAX);
    expect(violation).not.toBeNull();
  });
});

describe('the model of the projector', () => {
  const left = { crashes: 1, losses: 1, resends: 2 };

  it('brings every row once, in order, whatever is lost, doubled or late, with two instances at once', () => {
    const { states, violation } = explore(projector(ALL_PROJECTOR_RULES, left), STATES_MAX);
    process.stdout.write(`projector: ${states} states explored\n`);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(1_000);
  });

  it.each(Object.keys(ALL_PROJECTOR_RULES) as (keyof ProjectorRules)[])(
    'finds what goes wrong without the rule %s',
    (rule) => {
      const { violation } = explore(projector({ ...ALL_PROJECTOR_RULES, [rule]: false }, left), STATES_MAX);
      expect(violation).not.toBeNull();
    },
  );
});
