import { expect, test } from 'vitest';
import { eventsOfRole, eventsOutsideRole, WEBHOOK_EVENTS } from './webhook-event.ts';

test('each role receives its own events', () => {
  expect(eventsOutsideRole('cross_lister', WEBHOOK_EVENTS)).toEqual([
    'transfer.initiated',
    'dividend.declared',
    'corporate_action.announced',
  ]);
  expect(eventsOutsideRole('transfer_agent', WEBHOOK_EVENTS)).toEqual(['trade.executed', 'settlement.recorded']);
});

test('every event is received by somebody', () => {
  expect(new Set([...eventsOfRole('cross_lister'), ...eventsOfRole('transfer_agent')])).toEqual(
    new Set(WEBHOOK_EVENTS),
  );
});
