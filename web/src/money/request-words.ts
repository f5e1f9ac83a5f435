import type { PayRequest } from './money-queries.ts';

/** What the venue's clock writes as the reason of a request that nobody has decided in time. */
const LAPSED = 'lapsed';

export function toneOfRequest(status: PayRequest['status']): 'ok' | 'warn' | 'bad' | 'run' | 'none' {
  return ({ requested: 'warn', approved: 'run', executed: 'ok', rejected: 'bad', cancelled: 'none' } as const)[status];
}

/** The state as it is shown: a request that lapsed was taken back by nobody. */
export function shownStateOf({
  status,
  reason,
}: Pick<PayRequest, 'status' | 'reason'>): PayRequest['status'] | 'lapsed' {
  return status === 'cancelled' && reason === LAPSED ? 'lapsed' : status;
}

/** What a person has said of it; null where nobody has. */
export function saidOf(request: Pick<PayRequest, 'status' | 'reason'>): string | null {
  return shownStateOf(request) === 'lapsed' ? null : request.reason;
}

/** What stands on the payment, or where it goes: nothing is to be transferred before a deposit is approved. */
export function referenceOf({ type, status, reference, paymentReference }: PayRequest): string | null {
  if (type === 'withdrawal') return reference;
  return status === 'requested' ? null : paymentReference;
}
