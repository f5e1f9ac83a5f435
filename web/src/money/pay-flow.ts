import { ApiProblem } from '../api/api-problem.ts';
import type { Decimal } from '../numbers/decimal.ts';
import type { PayType } from './money-queries.ts';

/** What the form holds, as it was typed. */
export interface PayDraft {
  readonly assetId: string;
  readonly amount: string;
  readonly reference: string;
}

/** What is looked at once more, and then goes out as it is here: balances that are read meanwhile change nothing of it. */
export interface PayAsk {
  readonly assetId: string;
  readonly symbol: string;
  /** Without zeros at its end: the same amount is the same request, however it was typed. */
  readonly amount: Decimal;
  readonly reference: string;
  /** Available afterwards, as it was when it was looked at; null for a deposit. */
  readonly left: Decimal | null;
}

/**
 * Where a person stands who asks to pay in or out. Once a request went out and its outcome is not known (`mayBeDone`), only the same request can go out,
 * under the same key, until an answer is final.
 */
export type PayState =
  | { readonly at: 'form'; readonly draft: PayDraft }
  | {
      readonly at: 'review';
      readonly draft: PayDraft;
      readonly ask: PayAsk;
      readonly isSending: boolean;
      readonly mayBeDone: boolean;
      readonly problem: unknown;
    }
  | { readonly at: 'done' };

export type PayEvent =
  | { readonly is: 'changed'; readonly draft: PayDraft }
  | { readonly is: 'reviewed'; readonly ask: PayAsk }
  | { readonly is: 'back' }
  | { readonly is: 'sending' }
  /** One of the tries of a sending, which may be followed by others. */
  | { readonly is: 'try_failed'; readonly error: unknown }
  /** The last of its tries. */
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'answered' };

export function payStep(state: PayState, event: PayEvent): PayState {
  if (state.at === 'done') return state;
  if (state.at === 'form') {
    if (event.is === 'changed') return { at: 'form', draft: event.draft };
    if (event.is !== 'reviewed') return state;
    const { ask } = event;
    return { at: 'review', draft: state.draft, ask, isSending: false, mayBeDone: false, problem: null };
  }
  switch (event.is) {
    case 'changed':
    case 'reviewed':
      return state;
    case 'back':
      return canLeave(state) && !state.mayBeDone ? { at: 'form', draft: state.draft } : state;
    case 'sending':
      return { ...state, isSending: true, problem: null };
    case 'try_failed':
      return { ...state, mayBeDone: mayBeDoneAfter(state.mayBeDone, event.error) };
    case 'failed': {
      const mayBeDone = mayBeDoneAfter(state.mayBeDone, event.error);
      return { ...state, isSending: false, mayBeDone, problem: event.error };
    }
    case 'answered':
      return { at: 'done' };
  }
}

/** Whether the dialog may be closed: the end of what is being sent is told there. */
export function canLeave(state: PayState): boolean {
  return state.at !== 'review' || !state.isSending;
}

/** What names a sending: another body has another name, so another key. */
export function nameOfAsk(type: PayType, { assetId, amount, reference }: PayAsk): string {
  return `pay ${type} ${assetId} ${amount} ${reference}`;
}

/** What the browser keeps of it, for its person alone; null for nothing. What is being sent counts as what may be done: a reload waits for no answer. */
export function keptOf(state: PayState, owner: string): string | null {
  if (state.at !== 'review') return null;
  const { draft, ask, isSending, mayBeDone } = state;
  return JSON.stringify({ owner, draft, ask: isSending || mayBeDone ? ask : null });
}

/** Where its person goes on: with what may be done already, or at the form with what they wrote. Null where nothing of theirs was kept. */
export function stateOfKept(text: string | null, owner: string): PayState | null {
  const kept = parse(text) as { owner?: unknown; draft?: unknown; ask?: unknown } | null;
  if (kept === null || kept.owner !== owner || !isDraft(kept.draft)) return null;
  const { draft, ask } = kept;
  if (!isAsk(ask)) return { at: 'form', draft };
  return { at: 'review', draft, ask, isSending: false, mayBeDone: true, problem: null };
}

/** Whoever is turned away, or reaches nobody, learns nothing of an earlier try. An error of the page itself says nothing of the request. */
function mayBeDoneAfter(before: boolean, error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return true;
  return error.isOutcomeUnknown || (before && error.isTurnedAway);
}

function parse(text: string | null): object | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is PayDraft {
  return hasTexts(value, ['assetId', 'amount', 'reference']);
}

function isAsk(value: unknown): value is PayAsk {
  return hasTexts(value, ['assetId', 'symbol', 'amount', 'reference']);
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
