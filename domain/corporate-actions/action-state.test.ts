import { expect, test } from 'vitest';
import { ACTION_STATES, type ActionState, type ActionStep, actionStateAfter } from './action-state.ts';

/** Steps that a state allows, and what follows. */
const DIVIDEND: Readonly<Record<ActionState, Partial<Record<ActionStep, ActionState>>>> = {
  announced: { record: 'recorded', name: 'announced', cancel: 'cancelled', end: 'cancelled' },
  recorded: { name: 'recorded', ask: 'funding', complete: 'completed', cancel: 'cancelled', end: 'cancelled' },
  funding: { fund: 'funded', refuse: 'recorded', end: 'returning', give_back: 'returning' },
  funded: { complete: 'completed', end: 'returning', give_back: 'returning' },
  effective: {},
  returning: { end: 'returning' },
  completed: { reverse: 'reversing' },
  reversing: { finish_reversal: 'reversed', end: 'returning', give_back: 'returning' },
  reversed: {},
  cancelled: {},
};

const STEPS: readonly ActionStep[] = [
  'record',
  'name',
  'ask',
  'fund',
  'refuse',
  'begin',
  'complete',
  'reverse',
  'finish_reversal',
  'cancel',
  'consent',
  'end',
  'give_back',
];

test('a dividend is cancelled before its payer is asked alone, and reversed once it is completed', () => {
  for (const state of ACTION_STATES)
    for (const step of STEPS)
      expect(actionStateAfter('dividend', state, step), `${state} ${step}`).toBe(DIVIDEND[state][step] ?? null);
});

test('a split is cancelled while it has not begun, and begins again where it could not take place', () => {
  const allowed: Partial<Record<string, ActionState>> = {
    'announced begin': 'effective',
    'announced cancel': 'cancelled',
    'effective refuse': 'announced',
    'effective complete': 'completed',
    'announced consent': 'announced',
    'announced end': 'cancelled',
    'effective end': 'cancelled',
  };
  for (const state of ACTION_STATES)
    for (const step of STEPS)
      for (const type of ['stock_split', 'share_cancellation'] as const)
        expect(actionStateAfter(type, state, step), `${type} ${state} ${step}`).toBe(
          allowed[`${state} ${step}`] ?? null,
        );
});

test('a merger for cash is cancelled while nothing is held for it, and begins again until its payer has paid', () => {
  const allowed: Partial<Record<string, ActionState>> = {
    'announced name': 'announced',
    'announced begin': 'effective',
    'announced cancel': 'cancelled',
    'effective record': 'recorded',
    'effective refuse': 'announced',
    'recorded ask': 'funding',
    'recorded refuse': 'announced',
    'funding fund': 'funded',
    'funding refuse': 'announced',
    'funded complete': 'completed',
    'announced consent': 'announced',
    'announced end': 'cancelled',
    'effective end': 'cancelled',
    'recorded end': 'cancelled',
    'funding end': 'returning',
    'funded end': 'returning',
    'returning end': 'returning',
    'funding give_back': 'returning',
    'funded give_back': 'returning',
  };
  for (const state of ACTION_STATES)
    for (const step of STEPS)
      expect(actionStateAfter('cash_merger', state, step), `${state} ${step}`).toBe(
        allowed[`${state} ${step}`] ?? null,
      );
});

test('a merger for stock goes the way of one for cash, and nobody pays it', () => {
  for (const state of ACTION_STATES)
    for (const step of STEPS) {
      const paid = actionStateAfter('cash_merger', state, step);
      const ended = step === 'end' && paid === 'returning' ? (state === 'returning' ? null : 'cancelled') : paid;
      const next = step === 'name' || step === 'give_back' ? null : ended;
      expect(actionStateAfter('stock_merger', state, step), `${state} ${step}`).toBe(next);
    }
});

test.each(['merger', 'name_change'] as const)('a %s is completed or cancelled, and nothing else', (type) => {
  for (const state of ACTION_STATES)
    for (const step of STEPS) {
      const next = { complete: 'completed', cancel: 'cancelled', end: 'cancelled' }[step as string] ?? null;
      expect(actionStateAfter(type, state, step), `${state} ${step}`).toBe(state === 'announced' ? next : null);
    }
});
