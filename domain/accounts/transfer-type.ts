export const TRANSFER_TYPES = ['deposit', 'withdrawal'] as const;

export type TransferType = (typeof TRANSFER_TYPES)[number];
