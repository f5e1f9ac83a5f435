import { z } from '@hono/zod-openapi';
import type { OcfFault, OcfObject } from '../../../domain/register/ocf/ocf-object.ts';
import { endingEarly, ofFewFields } from '../../../protocol/ending-early.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { OCF_PACKAGE } from '../examples.ts';

/** A package has one of each of some ten types, or some few. */
const FILES_MAX = 1_000;

const OcfItem = z.looseObject({ object_type: z.string(), id: z.string() });

/** An Open Cap Table Format document: its manifest, and the files that it names. */
export const OcfPackageView = endingEarly(
  z
    .object({
      manifest: z.looseObject({}).optional().openapi({ description: 'OCF_MANIFEST_FILE. An import does not read it.' }),
      files: ofFewFields(
        z
          .record(z.string().max(200), z.object({ file_type: z.string(), items: z.array(OcfItem).nullish() }))
          .openapi({ description: 'By the path under which the manifest names them.' }),
        FILES_MAX,
      ),
    })
    .openapi('OpenCapTable', { example: OCF_PACKAGE }),
);

export function objectsOf({ files }: z.infer<typeof OcfPackageView>): OcfObject[] {
  return Object.values(files).flatMap(({ items }) => items ?? []);
}

export function ocfError(faults: readonly OcfFault[]): ApiError {
  return apiError('VALIDATION_ERROR', 'objects of the document are wrong; nothing was done', {
    reason: 'objects',
    errors: faults,
  });
}
