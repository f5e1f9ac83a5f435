/** Symbol of the currency that profile A keeps accounts in: its prices, cash balance and buying power. */
export const CASH_SYMBOL = 'USD';
