import type { WebhookDispatchEnv } from '../../../durable-objects/webhook-dispatch/api.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';

/** Bindings that corporate actions need. */
export type ActionsEnv = LedgerEnv &
  WebhookDispatchEnv &
  Partial<Pick<Env, 'ACTION_NOTICE_SHARES_HOURS' | 'ACTION_NOTICE_OTHER_HOURS'>>;
