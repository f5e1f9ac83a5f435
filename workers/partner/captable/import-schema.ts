import { z } from '@hono/zod-openapi';
import { IMPORT_FIELDS, IMPORT_ROWS_MAX } from '../../../domain/register/import-rows.ts';
import { endingEarly, ofFewFields } from '../../../protocol/ending-early.ts';
import { freeText } from '../../responses/free-text.ts';
import { HOLDER_IMPORT_REQUEST } from '../examples.ts';

/** Of every change of a register. */
export const recordDate = z.iso.date().nullable().default(null);
export const notes = freeText(1_000).nullable().default(null);

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Beside those that an import knows, what the sender's table has. */
const FIELDS_OF_ROW_MAX = 200;

export const ImportRequest = endingEarly(
  z
    .strictObject({
      holders: z
        .array(ofFewFields(z.record(z.string().max(50), Cell), FIELDS_OF_ROW_MAX))
        .min(1)
        .max(IMPORT_ROWS_MAX)
        .openapi({ description: `Fields of a row: ${IMPORT_FIELDS.join(', ')}. Up to ${IMPORT_ROWS_MAX} rows.` }),
      record_date: recordDate,
      notes,
    })
    .openapi('HolderImportRequest', { example: HOLDER_IMPORT_REQUEST }),
);
