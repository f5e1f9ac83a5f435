import type { Delivery, Webhook } from '../desk-queries.ts';

/** How an endpoint stands: switched off, not to be read now, or as its circuit is. */
export type WebhookState = 'disabled' | 'unread' | 'closed' | 'open' | 'half_open';

export function stateOf({
  disabledReason,
  backlog,
}: Pick<Webhook, 'disabledReason'> & {
  readonly backlog: Pick<NonNullable<Webhook['backlog']>, 'circuit'> | null;
}): WebhookState {
  if (disabledReason !== null) return 'disabled';
  return backlog === null ? 'unread' : backlog.circuit;
}

export function toneOfWebhook(state: WebhookState): 'ok' | 'warn' | 'bad' | 'none' {
  return ({ disabled: 'none', unread: 'warn', closed: 'ok', open: 'bad', half_open: 'warn' } as const)[state];
}

export function toneOfDelivery(status: Delivery['status']): 'ok' | 'wait' | 'bad' | 'none' {
  return ({ waiting: 'wait', delivered: 'ok', dead: 'bad', skipped: 'none' } as const)[status];
}

/** Only what was given up is sent again, once, and only where its owner has not switched it off. */
export function mayReplay(
  { status, sentAgain }: Pick<Delivery, 'status' | 'sentAgain'>,
  { disabledReason }: Pick<Webhook, 'disabledReason'>,
): boolean {
  return status === 'dead' && sentAgain === null && disabledReason === null;
}
