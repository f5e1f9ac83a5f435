import { describe, expect, test } from 'vitest';
import type { SECURITY_STATES } from './security.ts';
import { nextSecurityState, type SecurityActor } from './security-state.ts';

const ACTIONS = ['list', 'refuse', 'halt', 'lift', 'delist'] as const;

const at = (state: (typeof SECURITY_STATES)[number], haltedBy: SecurityActor | null = null) => ({
  state,
  haltedBy,
});

describe('the state of a cross-listed security', () => {
  test.each([
    ['submitted', 'list', 'listed'],
    ['submitted', 'refuse', 'refused'],
    ['submitted', 'delist', 'delisted'],
    ['listed', 'halt', 'halted'],
    ['listed', 'delist', 'delisted'],
    ['halted', 'lift', 'listed'],
    ['halted', 'delist', 'delisted'],
  ] as const)('%s by %s of an operator is %s', (from, action, to) => {
    expect(nextSecurityState(at(from, 'operator'), action, 'operator')).toMatchObject({
      ok: true,
      value: { state: to },
    });
  });

  test('refused and delisted are final', () => {
    for (const state of ['refused', 'delisted'] as const)
      for (const action of ACTIONS)
        expect(nextSecurityState(at(state), action, 'operator')).toMatchObject({ error: { reason: 'wrong_state' } });
  });

  test('its lister neither lists nor refuses it', () => {
    for (const action of ['list', 'refuse'] as const)
      expect(nextSecurityState(at('submitted'), action, 'lister')).toEqual({
        ok: false,
        error: { reason: 'operators_alone' },
      });
  });

  test('its lister lifts the halt of its own, an operator every one', () => {
    expect(nextSecurityState(at('halted', 'lister'), 'lift', 'lister').ok).toBe(true);
    expect(nextSecurityState(at('halted', 'operator'), 'lift', 'lister')).toEqual({
      ok: false,
      error: { reason: 'halted_by_operator' },
    });
    for (const by of ['lister', 'operator'] as const)
      expect(nextSecurityState(at('halted', by), 'lift', 'operator').ok).toBe(true);
  });

  test('an operator takes over the halt of its lister, and no halt twice', () => {
    expect(nextSecurityState(at('halted', 'lister'), 'halt', 'operator')).toEqual({
      ok: true,
      value: at('halted', 'operator'),
    });
    expect(nextSecurityState(at('halted', 'operator'), 'halt', 'operator').ok).toBe(false);
    for (const haltedBy of ['lister', 'operator'] as const)
      expect(nextSecurityState(at('halted', haltedBy), 'halt', 'lister').ok).toBe(false);
  });

  test('a corporate action lifts its own halt alone, and an operator takes it over or lifts it', () => {
    expect(nextSecurityState(at('listed'), 'halt', 'action')).toEqual({ ok: true, value: at('halted', 'action') });
    expect(nextSecurityState(at('halted', 'action'), 'lift', 'action').ok).toBe(true);
    for (const haltedBy of ['lister', 'operator'] as const) {
      expect(nextSecurityState(at('halted', haltedBy), 'lift', 'action').ok).toBe(false);
      expect(nextSecurityState(at('halted', haltedBy), 'halt', 'action').ok).toBe(false);
    }
    expect(nextSecurityState(at('halted', 'action'), 'lift', 'lister')).toEqual({
      ok: false,
      error: { reason: 'halted_by_action' },
    });
    expect(nextSecurityState(at('halted', 'action'), 'halt', 'operator')).toEqual({
      ok: true,
      value: at('halted', 'operator'),
    });
    expect(nextSecurityState(at('halted', 'action'), 'lift', 'operator').ok).toBe(true);
  });

  test('says who has halted it, and forgets that with the halt', () => {
    expect(nextSecurityState(at('listed'), 'halt', 'lister')).toEqual({ ok: true, value: at('halted', 'lister') });
    expect(nextSecurityState(at('halted', 'lister'), 'lift', 'operator')).toEqual({ ok: true, value: at('listed') });
  });
});
