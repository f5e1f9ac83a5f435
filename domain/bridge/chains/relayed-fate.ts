/** What has become of a transaction of the relayer. `outbid`: it waits, and offers less than a unit of gas costs now. `unknown`: the node has no such transaction. */
export type RelayedFate = 'landed' | 'failed' | 'waits' | 'outbid' | 'unknown';
