/** `nyse`: the core session of the New York Stock Exchange. */
export const TRADING_HOURS = ['always', 'nyse'] as const;
