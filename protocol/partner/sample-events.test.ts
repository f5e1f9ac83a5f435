import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook-event.ts';
import { EVENT_PAYLOADS } from './events.ts';
import { SAMPLE_EVENTS } from './sample-events.ts';

it.each(WEBHOOK_EVENTS)('the sample of %s has the shape that the event has', (type) => {
  const { webhook_event, ...rest } = SAMPLE_EVENTS[type];
  const head = {
    event_id: 'e',
    event_type: type,
    endpoint: 'https://a.example',
    timestamp: '2026-10-05T16:02:41.000Z',
  };
  expect(
    EVENT_PAYLOADS[type].safeParse({ webhook_event: { ...head, ...webhook_event }, ...rest }).error,
  ).toBeUndefined();
});
