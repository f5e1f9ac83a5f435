/** For whom the events service does something, from the verified claims. */
export interface EventsCaller {
  readonly requestId: string;
  readonly organization: string;
  /** Unique over all organizations: what every query and every key is scoped to. */
  readonly tenant: string;
}
