import { archiveOrders } from './cron/archive-orders.ts';
import { runHourly } from './cron/run-hourly.ts';
import { createApp } from './middleware/app.ts';
import { destinationOf } from './middleware/profile-name.ts';
import { profiles } from './profiles.ts';
import { consumeEventWork } from './queues/consume-event-work.ts';

export { AgentSession } from '../durable-objects/agent-session/agent-session.ts';
export { Feed } from '../durable-objects/feed/feed.ts';
export { Gallery } from '../durable-objects/gallery/gallery.ts';
export { Gate } from '../durable-objects/gate/gate.ts';
export { IdempotencyKeys } from '../durable-objects/idempotency-keys/idempotency-keys.ts';
export { InferenceContainer } from '../durable-objects/inference-container/inference-container.ts';
export { Ledger } from '../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../durable-objects/order-book/order-book.ts';

/** Answers what belongs to no profile: 404. */
const unrouted = createApp('none');

/** As in wrangler.toml. */
const ARCHIVE_CRON = '*/5 * * * *';

export default {
  fetch(request, env, ctx) {
    const destination = destinationOf(request, env);
    return (destination === null ? unrouted : profiles[destination.profile]).fetch(request, env, ctx);
  },
  scheduled({ cron }, env) {
    return cron === ARCHIVE_CRON ? archiveOrders(env) : runHourly(env);
  },
  queue: consumeEventWork,
} satisfies ExportedHandler<Env>;
