import { expect, test } from 'vitest';
import { BRIDGE_EVENTS, toldChanges } from './told-changes.ts';
import { TRANSFER_STATES } from './transfer.ts';

const covered = { isUncovered: false } as const;

test('each state is told when a transfer comes to it, but for three that pass by themselves', () => {
  const told = TRANSFER_STATES.flatMap((state) => toldChanges(null, { state, ...covered }));
  const silent = TRANSFER_STATES.filter((state) => toldChanges(null, { state, ...covered }).length === 0);
  expect(silent).toEqual(['limit_check', 'signing', 'refund_signing']);
  expect([...told, 'bridge.transfer.uncovered', 'bridge.transfer.covered']).toEqual([...BRIDGE_EVENTS]);
});

test('a state that stays is told once', () => {
  for (const state of TRANSFER_STATES) expect(toldChanges({ state, ...covered }, { state, ...covered })).toEqual([]);
});

test('funds that are lost after a payment are told, with the end or after it, and that they are back', () => {
  const [broadcast, confirmed] = [{ state: 'broadcast' } as const, { state: 'confirmed' } as const];
  const lost = { ...confirmed, isUncovered: true };
  expect(toldChanges({ ...broadcast, ...covered }, lost)).toEqual([
    'bridge.transfer.confirmed',
    'bridge.transfer.uncovered',
  ]);
  expect(toldChanges({ ...confirmed, ...covered }, lost)).toEqual(['bridge.transfer.uncovered']);
  expect(toldChanges(lost, { ...confirmed, ...covered })).toEqual(['bridge.transfer.covered']);
  expect(toldChanges(lost, lost)).toEqual([]);
});
