import type { ActionKind } from './corporate-action.ts';

/** Where a corporate action stands (docs/design/corporate-actions.md#states). */
export const ACTION_STATES = [
  'announced',
  'recorded',
  'funding',
  'funded',
  'effective',
  'returning',
  'completed',
  'reversing',
  'reversed',
  'cancelled',
] as const;

export type ActionState = (typeof ACTION_STATES)[number];

/**
 * What happens to an action: `record` fixes who is entitled, `ask` asks the ledger for the money of the payer, who gives it (`fund`) or does not
 * (`refuse`), `begin` asks for a split or a merger that ends shares, which takes place (`complete`) or cannot yet (`refuse`). `complete` is the end of its work; at once where nobody with an account gets anything. `name`: the lister says which account pays.
 * `consent`: a lister agrees to it. `end`: an operator ends it. `give_back`: what the payer has paid, or holders have given back, goes to who has paid, since nothing more is done; then it is as it was
 * before the payer was asked, or has ended.
 */
export type ActionStep =
  | 'record'
  | 'name'
  | 'ask'
  | 'fund'
  | 'refuse'
  | 'begin'
  | 'complete'
  | 'reverse'
  | 'finish_reversal'
  | 'consent'
  | 'cancel'
  | 'end'
  | 'give_back';

type Table = Readonly<Record<ActionStep, Readonly<Partial<Record<ActionState, ActionState>>>>>;

const DIVIDEND: Table = {
  record: { announced: 'recorded' },
  name: { announced: 'announced', recorded: 'recorded' },
  ask: { recorded: 'funding' },
  fund: { funding: 'funded' },
  refuse: { funding: 'recorded' },
  begin: {},
  complete: { recorded: 'completed', funded: 'completed' },
  reverse: { completed: 'reversing' },
  finish_reversal: { reversing: 'reversed' },
  consent: {},
  cancel: { announced: 'cancelled', recorded: 'cancelled' },
  end: {
    announced: 'cancelled',
    recorded: 'cancelled',
    funding: 'returning',
    funded: 'returning',
    reversing: 'returning',
    returning: 'returning',
  },
  give_back: { funding: 'returning', funded: 'returning', reversing: 'returning' },
};

const SPLIT: Table = {
  record: {},
  name: {},
  ask: {},
  fund: {},
  refuse: { effective: 'announced' },
  begin: { announced: 'effective' },
  complete: { effective: 'completed' },
  reverse: {},
  finish_reversal: {},
  consent: { announced: 'announced' },
  cancel: { announced: 'cancelled' },
  end: { announced: 'cancelled', effective: 'cancelled' },
  give_back: {},
};

/** From `effective` to `funding` the ledger and the register keep every share where it is. */
const CASH_MERGER: Table = {
  record: { effective: 'recorded' },
  name: { announced: 'announced' },
  ask: { recorded: 'funding' },
  fund: { funding: 'funded' },
  refuse: { effective: 'announced', recorded: 'announced', funding: 'announced' },
  begin: { announced: 'effective' },
  complete: { funded: 'completed' },
  reverse: {},
  finish_reversal: {},
  consent: { announced: 'announced' },
  cancel: { announced: 'cancelled' },
  end: {
    announced: 'cancelled',
    effective: 'cancelled',
    recorded: 'cancelled',
    funding: 'returning',
    funded: 'returning',
    returning: 'returning',
  },
  give_back: { funding: 'returning', funded: 'returning' },
};

/** Nobody pays. */
const STOCK_MERGER: Table = {
  ...CASH_MERGER,
  name: {},
  end: {
    announced: 'cancelled',
    effective: 'cancelled',
    recorded: 'cancelled',
    funding: 'cancelled',
    funded: 'cancelled',
  },
  give_back: {},
};

const OTHER: Table = {
  record: {},
  name: {},
  ask: {},
  fund: {},
  refuse: {},
  begin: {},
  complete: { announced: 'completed' },
  reverse: {},
  finish_reversal: {},
  consent: {},
  cancel: { announced: 'cancelled' },
  end: { announced: 'cancelled' },
  give_back: {},
};

const TABLES: Readonly<Record<ActionKind, Table>> = {
  dividend: DIVIDEND,
  stock_split: SPLIT,
  merger: OTHER,
  cash_merger: CASH_MERGER,
  stock_merger: STOCK_MERGER,
  name_change: OTHER,
  /** It halts nothing; from `effective` on shares move. */
  share_cancellation: SPLIT,
};

/** What an action becomes by a step, or null where the step does not apply. */
export function actionStateAfter(kind: ActionKind, state: ActionState, step: ActionStep): ActionState | null {
  return TABLES[kind][step][state] ?? null;
}

/** Why an action takes no step; it goes on once that is over. Of one whose agent was released there is no such moment, so it ends; nor of `shares_split`. */
export const ACTION_STOPS = [
  /** The agent that has announced it is the security's no longer. */
  'agent_released',
  /** The agent's registration is suspended. */
  'agent_suspended',
  /** An operator has halted or delisted the security. */
  'security_stopped',
  /** The security whose shares holders get has another agent, or is not listed, or an operator has halted it. */
  'surviving_security',
  /** It counts shares, and they were split since it was announced: cancel it, and announce what it comes to now. */
  'shares_split',
  /** An operator holds the action. */
  'held_by_operator',
] as const;

export type ActionStop = (typeof ACTION_STOPS)[number];

/** Why an action that is due does not go on; it is tried again. */
export const ACTION_WAITS = [
  ...ACTION_STOPS,
  /** A lister whose shares end or are divided down, or whose shares are given for them, has not agreed. */
  'lister_consent',
  /** The lister has named no account that pays. */
  'payment_account',
  /** It comes to more than the lister has agreed to, or than an amount may be: then it is for good. */
  'above_amount_max',
  /** The paying account has less available. */
  'insufficient_funds',
  /** What the ledger has done is not shown yet, or the register has an event under way. */
  'not_current',
  /** A split or a merger that ends shares: the security trades, shares are held or not settled, transfers wait for the agent, a holder is registered with something else than they have. */
  'market_open',
  'shares_held',
  'open_transfers',
  'register_differs',
  /** Rounded up, holders would have too much more in all (rounded-up.ts): until they have less parts of a unit, or it is cancelled. */
  'fractions',
  /** A split that the ledger refuses: it would make a balance too large, or the security has no register. Cancel it. */
  'split_refused',
  /** The same of a merger. */
  'merger_refused',
  /** The ledger takes no more balances. */
  'ledger_full',
  /** What goes back to who has paid would make their balance larger than an amount may be. */
  'payer_full',
] as const;

export type ActionWait = (typeof ACTION_WAITS)[number];
