export interface FeedError {
  /** The codes of the exchange, and three that only a feed has. */
  readonly code:
    | 'INVALID_JSON'
    | 'UNKNOWN_CHANNEL'
    | 'VALIDATION_ERROR'
    | 'INVALID_SYMBOL'
    | 'TOO_MANY_SUBSCRIPTIONS'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'RATE_LIMIT_EXCEEDED'
    | 'SERVICE_UNAVAILABLE';
  readonly message: string;
}

/** What is wrong with a message, and of which subscription it is, as far as the message says. */
export interface MessageError extends FeedError {
  readonly channel?: string;
  readonly symbol?: string;
}
