/** What a node asks for, no less than the chain takes and no more than the vault pays: `build` refuses what is beyond. */
export function boundedFee(wanted: bigint, min: bigint, max: bigint): bigint {
  if (wanted < min) return min;
  if (wanted > max) return max;
  return wanted;
}
