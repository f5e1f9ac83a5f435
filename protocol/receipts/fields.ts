import { z } from 'zod';
import { COMMITTEE_SIZE } from '../../domain/consensus/committee.ts';

/** Values that receipts are made of. */
export const Count = z.int().min(0);
export const Member = Count.max(COMMITTEE_SIZE - 1);

/** So many bytes in lower-case hexadecimal. */
export const hexOf = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `not ${bytes} bytes in lower-case hexadecimal`);

export const Hash = hexOf(32);
