import { z } from '@hono/zod-openapi';

/** What a client is told whose cursor is none. */
export const CURSOR_WORDS = 'is no cursor of this list: take it from the Link header of the page before';

const CURSOR = /^(-?\d{1,16})\.([0-9A-Za-z-]{1,64})$/;

/** Query of a list in order of time: `<Unix milliseconds>.<id>` of the last row of the page before. */
export const timeCursorQuery = z.string().regex(CURSOR, CURSOR_WORDS).optional();

export function timeCursorText(at: number, id: string): string {
  return `${at}.${id}`;
}

/** Null for the first page. */
export function timeCursorOf(cursor: string | undefined): { readonly at: number; readonly id: string } | null {
  const [, at, id] = CURSOR.exec(cursor ?? '') ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}
