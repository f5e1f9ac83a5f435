import { startJobs } from './cron/start-jobs.ts';
import { missingSettings, requireSettings } from './middleware/missing-settings.ts';
import { type Destination, destinationOf } from './middleware/profile-name.ts';
import { loadProfile } from './profiles.ts';
import { consumeEventWork } from './queues/consume-event-work.ts';
import { consumeJobs } from './queues/consume-jobs.ts';
import { consumeWebhooks } from './queues/consume-webhooks.ts';
import { isStaticFile, staticFile } from './static-file.ts';

export { AgentSession } from '../durable-objects/agent-session/agent-session.ts';
export { BrowserSession } from '../durable-objects/browser-session/browser-session.ts';
export { CancelSwitch } from '../durable-objects/cancel-switch/cancel-switch.ts';
export { ChainWatcher } from '../durable-objects/chain-watcher/chain-watcher.ts';
export { Checkpointer } from '../durable-objects/checkpointer/checkpointer.ts';
export { ConsoleUser } from '../durable-objects/console-user/console-user.ts';
export { Feed } from '../durable-objects/feed/feed.ts';
export { Gallery } from '../durable-objects/gallery/gallery.ts';
export { Gate } from '../durable-objects/gate/gate.ts';
export { IdempotencyKeys } from '../durable-objects/idempotency-keys/idempotency-keys.ts';
export { InferenceContainer } from '../durable-objects/inference-container/inference-container.ts';
export { Ledger } from '../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../durable-objects/order-book/order-book.ts';
export { OrderEntry } from '../durable-objects/order-entry/order-entry.ts';
export { PartnerEvents } from '../durable-objects/partner-events/partner-events.ts';
export { Recorder } from '../durable-objects/recorder/recorder.ts';
export { SandboxBroker } from '../durable-objects/sandbox-broker/sandbox-broker.ts';
export { SandboxPrime } from '../durable-objects/sandbox-prime/sandbox-prime.ts';
export { Sequencer } from '../durable-objects/sequencer/sequencer.ts';
export { Signer } from '../durable-objects/signer/signer.ts';
export { BridgeTransfer } from '../durable-objects/transfer/transfer.ts';
export { Validator } from '../durable-objects/validator/validator.ts';
export { WebhookDispatch } from '../durable-objects/webhook-dispatch/webhook-dispatch.ts';
export { WebhookEndpoint } from '../durable-objects/webhook-endpoint/webhook-endpoint.ts';
export { ConsoleService } from './console-service.ts';
export { OrderEntryService } from './order-entry-service.ts';

/** Begin the names of the queues in every environment. */
const JOBS_QUEUE = 'jobs';
const WEBHOOKS_QUEUE = 'webhooks';

export default {
  async fetch(request, env, ctx) {
    if (isStaticFile(request)) return staticFile(request, env);
    const missing = missingSettings(env);
    const app = await (missing.length > 0 ? appOf(missing) : appAt(destinationOf(request, env)));
    return app.fetch(request, env, ctx);
  },
  scheduled({ cron }, env) {
    requireSettings(env);
    return startJobs(env, cron);
  },
  queue(batch, env, ctx) {
    if (batch.queue.startsWith(WEBHOOKS_QUEUE)) return consumeWebhooks(batch, env, ctx);
    return batch.queue.startsWith(JOBS_QUEUE) ? consumeJobs(batch, env) : consumeEventWork(batch, env);
  },
} satisfies ExportedHandler<Env>;

/** Answers 500 and names in its log what has to be stated first. */
async function appOf(missing: readonly string[]) {
  return (await import('./unloaded.ts')).unloaded('none', new Error(`settings are missing: ${missing.join(', ')}`));
}

async function appAt(destination: Destination | null) {
  if (destination === null) return (await import('./unrouted.ts')).unrouted;
  try {
    return await loadProfile(destination.profile);
  } catch (error) {
    return (await import('./unloaded.ts')).unloaded(destination.profile, error);
  }
}
