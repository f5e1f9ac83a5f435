const WEI_PER_GWEI = 1e9;

export interface RecorderSettings {
  /** Blocks from that of a transaction on, itself included, after which it counts as recorded. */
  readonly confirmations: number;
  /** What a transaction offers for a unit of gas at most, wei. */
  readonly gasPriceMax: bigint;
}

/** @throws Error where one of them is none: nothing is recorded by a value that somebody has guessed */
export function recorderSettings({
  REGISTRY_CONFIRMATIONS,
  REGISTRY_GAS_GWEI_MAX,
}: {
  readonly REGISTRY_CONFIRMATIONS: string;
  readonly REGISTRY_GAS_GWEI_MAX: string;
}): RecorderSettings {
  const [confirmations, gwei] = [Number(REGISTRY_CONFIRMATIONS), Number(REGISTRY_GAS_GWEI_MAX)];
  if (!Number.isSafeInteger(confirmations) || confirmations < 1)
    throw new Error('REGISTRY_CONFIRMATIONS is no whole number above 0');
  const wei = Math.floor(gwei * WEI_PER_GWEI);
  if (!Number.isSafeInteger(wei) || wei < 1) throw new Error('REGISTRY_GAS_GWEI_MAX is no number above 0');
  return { confirmations, gasPriceMax: BigInt(wei) };
}
