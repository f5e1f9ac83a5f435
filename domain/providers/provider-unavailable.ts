/** A provider does not answer, or not as it should: what was asked is asked again later. */
export interface ProviderUnavailable {
  readonly reason: 'unavailable';
  readonly detail: string;
}
