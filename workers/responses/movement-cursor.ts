import { z } from '@hono/zod-openapi';
import { MOVEMENT_KINDS, type MovementPlace } from '../../data/accounts/movements.ts';
import { CURSOR_WORDS } from './time-cursor.ts';

const TEXT_MAX = 200;
const Place = z.tuple([
  z.int().min(0),
  z.string().max(TEXT_MAX),
  z.enum(MOVEMENT_KINDS),
  z.string().max(TEXT_MAX),
  z.int(),
  z.int().min(0).max(1_000_000),
]);

/** Query of a list of movements. */
export const movementCursorQuery = z
  .string()
  .max(2 * TEXT_MAX + 100)
  .refine((text) => movementPlaceOf(text) !== null, CURSOR_WORDS)
  .optional();

export function movementCursorText({ at, reference, kind, asset, amount, seen }: MovementPlace): string {
  return JSON.stringify([at, reference, kind, asset, amount, seen]);
}

/** Null for what is no cursor, and where there is none. */
export function movementPlaceOf(cursor: string | undefined): MovementPlace | null {
  if (cursor === undefined) return null;
  try {
    const [at, reference, kind, asset, amount, seen] = Place.parse(JSON.parse(cursor));
    return { at, reference, kind, asset, amount, seen };
  } catch {
    return null;
  }
}
