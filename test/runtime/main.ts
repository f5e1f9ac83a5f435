import worker from '../../workers/index.ts';

/** The Worker under test: everything as deployed, except that a test may kill its books and its ledger and lose their D1 requests. */
export default worker;
export { ChainWatcher } from '../../durable-objects/chain-watcher/chain-watcher.ts';
export {
  AgentSession,
  BrowserSession,
  CancelSwitch,
  ConsoleService,
  ConsoleUser,
  Feed,
  Gallery,
  Gate,
  IdempotencyKeys,
  InferenceContainer,
  OrderEntry,
  OrderEntryService,
  PartnerEvents,
  SandboxBroker,
  SandboxPrime,
  Validator,
} from '../../workers/index.ts';
export { FaultyOrderBook as OrderBook } from './fixtures/faults.ts';
export { FaultyCheckpointer as Checkpointer } from './fixtures/faulty-checkpointer.ts';
export { FaultyWebhookDispatch as WebhookDispatch } from './fixtures/faulty-dispatch.ts';
export { FaultyLedger as Ledger } from './fixtures/faulty-ledger.ts';
export { FaultyRecorder as Recorder } from './fixtures/faulty-recorder.ts';
export { FaultySequencer as Sequencer } from './fixtures/faulty-sequencer.ts';
export {
  FaultyBridgeTransfer as BridgeTransfer,
  FaultyChains as Chains,
  FaultySigner as Signer,
} from './fixtures/faulty-transfer.ts';
export { FaultyWebhookEndpoint as WebhookEndpoint } from './fixtures/faulty-webhook-endpoint.ts';
