import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/api-problem.ts';
import { canLeave, keptOf, nameOfAsk, type PayEvent, type PayState, payStep, stateOfKept } from './pay-flow.ts';

const DRAFT = { assetId: 'usd', amount: '800.00', reference: 'DE89' };
const ASK = { assetId: 'usd', symbol: 'USD', amount: '800', reference: 'DE89', left: '200' };
const OTHER = { ...ASK, amount: '200', left: '0' };
const problem = (status: number, code = 'ANY') => new ApiProblem({ code, message: '', status });
const NO_ANSWER = problem(0, 'NO_ANSWER');
const REFUSED = problem(422);

function stateAfter(...events: PayEvent[]): PayState {
  return events.reduce(payStep, { at: 'form', draft: DRAFT } as PayState);
}

const REVIEWED: PayEvent = { is: 'reviewed', ask: ASK };
const SENDING: PayEvent = { is: 'sending' };
const tried = (error: unknown): PayEvent => ({ is: 'try_failed', error });
const failed = (error: unknown): PayEvent => ({ is: 'failed', error });

describe('a request to pay', () => {
  test('is changed until it goes out, and again where it was refused', () => {
    expect(stateAfter(REVIEWED, { is: 'back' })).toEqual({ at: 'form', draft: DRAFT });
    const refused = stateAfter(REVIEWED, SENDING, tried(REFUSED), failed(REFUSED));
    expect(refused).toMatchObject({ mayBeDone: false, isSending: false, problem: REFUSED });
    expect(payStep(refused, { is: 'back' })).toEqual({ at: 'form', draft: DRAFT });
  });

  test('is not changed while it is sent, and its dialog stays', () => {
    const sending = stateAfter(REVIEWED, SENDING);
    expect(canLeave(sending)).toBe(false);
    for (const event of [{ is: 'back' }, { is: 'reviewed', ask: OTHER }, { is: 'changed', draft: DRAFT }] as const)
      expect(payStep(sending, event)).toBe(sending);
  });

  test('can only be asked for again as it was, once its outcome is not known', () => {
    const unknown = stateAfter(REVIEWED, SENDING, tried(NO_ANSWER), failed(NO_ANSWER));
    expect(unknown).toMatchObject({ at: 'review', ask: ASK, mayBeDone: true, isSending: false });
    for (const event of [{ is: 'back' }, { is: 'reviewed', ask: OTHER }, { is: 'changed', draft: DRAFT }] as const)
      expect(payStep(unknown, event)).toBe(unknown);
    expect(payStep(unknown, SENDING)).toMatchObject({ ask: ASK, mayBeDone: true });
  });

  test.each([401, 403, 429])('may be done where a try was not answered and the next turned away with %i', (status) => {
    const away = problem(status);
    const within = stateAfter(REVIEWED, SENDING, tried(NO_ANSWER), tried(away), failed(away));
    expect(within).toMatchObject({ ask: ASK, mayBeDone: true });
    const later = stateAfter(REVIEWED, SENDING, failed(NO_ANSWER), SENDING, tried(away), failed(away));
    expect(later).toMatchObject({ ask: ASK, mayBeDone: true });
    expect(stateAfter(REVIEWED, SENDING, tried(away), failed(away))).toMatchObject({ mayBeDone: false });
  });

  test('may be done where the page itself broke', () => {
    expect(stateAfter(REVIEWED, SENDING, failed(new TypeError('any')))).toMatchObject({ mayBeDone: true });
  });

  test('is over with an answer that is final', () => {
    const open = stateAfter(REVIEWED, SENDING, tried(NO_ANSWER));
    expect(payStep(open, { is: 'answered' })).toEqual({ at: 'done' });
    expect(payStep(open, failed(REFUSED))).toMatchObject({ mayBeDone: false });
    expect(keptOf({ at: 'done' }, 'ann')).toBeNull();
  });

  test('has one name however its amount was typed, and another for another body', () => {
    const name = nameOfAsk('withdrawal', ASK);
    const others = [OTHER, { ...ASK, assetId: 'eur' }, { ...ASK, reference: 'DE90' }];
    expect(new Set([name, ...others.map((ask) => nameOfAsk('withdrawal', ask))]).size).toBe(4);
    expect(nameOfAsk('deposit', ASK)).not.toBe(name);
    expect(nameOfAsk('withdrawal', { ...ASK, symbol: 'any', left: null })).toBe(name);
  });
});

describe('what is kept of a request to pay', () => {
  test('is the very request from the moment it goes out, whatever closes the page', () => {
    for (const state of [stateAfter(REVIEWED, SENDING), stateAfter(REVIEWED, SENDING, failed(NO_ANSWER))]) {
      const again = stateOfKept(keptOf(state, 'ann'), 'ann');
      expect(again).toEqual({ at: 'review', draft: DRAFT, ask: ASK, isSending: false, mayBeDone: true, problem: null });
    }
  });

  test('is what was typed where nothing went out, and it is looked at once more', () => {
    const stepUp = problem(403, 'STEP_UP_REQUIRED');
    const state = stateAfter(REVIEWED, SENDING, tried(stepUp), failed(stepUp));
    expect(stateOfKept(keptOf(state, 'ann'), 'ann')).toEqual({ at: 'form', draft: DRAFT });
  });

  test('is nobody else’s', () => {
    for (const state of [stateAfter(REVIEWED), stateAfter(REVIEWED, SENDING, failed(NO_ANSWER))])
      expect(stateOfKept(keptOf(state, 'ann'), 'ben')).toBeNull();
    for (const text of [null, '', '{', '7', '[]', '{"owner":"ann"}', '{"owner":"ann","draft":{"amount":1}}'])
      expect(stateOfKept(text, 'ann')).toBeNull();
  });
});
