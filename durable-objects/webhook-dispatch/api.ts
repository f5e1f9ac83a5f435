/** The one dispatcher of the venue. */
const DISPATCHER = 'dispatcher';

/** Of which database events may have been written: of trades and all else that partners are told of, or of what tenants of the events service are. */
export type ToldHalf = 'exchange' | 'tenants' | 'all';

/** Takes events from D1 to the endpoints that receive them (docs/design/webhooks.md#from-the-event-to-the-endpoint). */
export interface WebhookDispatchApi {
  /** Events may have been written. Cheap: whoever writes some calls it, and nothing is lost where nobody does. */
  wake(half?: ToldHalf): Promise<void>;
}

/** Absent from Workers that serve nobody, such as those of scripts: what they write is found at the next look. */
export interface WebhookDispatchEnv {
  readonly WEBHOOK_DISPATCH?: { getByName(name: string): unknown };
}

/** Tells the dispatcher that events may have been written. What it does not hear it finds within five minutes. */
export async function wakeDispatch(
  { WEBHOOK_DISPATCH: dispatchers }: WebhookDispatchEnv,
  half: ToldHalf = 'all',
): Promise<void> {
  await (dispatchers?.getByName(DISPATCHER) as WebhookDispatchApi | undefined)?.wake(half);
}
