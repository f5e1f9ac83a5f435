import { z } from '@hono/zod-openapi';

/** Orders that an answer says it has cancelled (docs/design/broker.md#orders-of-a-routed-market). */
export const CancelledIds = z.array(z.string()).openapi({ description: 'Orders that are cancelled.' });

export const PendingIds = z.array(z.string()).openapi({
  description:
    'Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads.',
});
