import { expect, test } from 'vitest';
import { decided, isOpenRequest, TRANSFER_REQUEST_STATES, type TransferDecisionName } from './transfer-request.ts';

const DECISIONS: readonly TransferDecisionName[] = ['approve', 'reject', 'execute', 'cancel'];

test('a request is decided, then executed once; its user cancels it until it is approved', () => {
  const table = TRANSFER_REQUEST_STATES.flatMap((from) =>
    DECISIONS.flatMap((decision) => {
      const to = decided(from, decision);
      return to.ok ? `${from} ${decision} ${to.value}` : [];
    }),
  );
  expect(table).toEqual([
    'requested approve approved',
    'requested reject rejected',
    'requested cancel cancelled',
    'approved reject rejected',
    'approved execute executed',
  ]);
});

test('what is rejected, executed or cancelled waits for nothing', () => {
  expect(TRANSFER_REQUEST_STATES.filter(isOpenRequest)).toEqual(['requested', 'approved']);
});
