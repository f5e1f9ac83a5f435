/** States of a job that enhances an image. */
export const ENHANCEMENT_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;

/** What became of the faces in an enhanced image. */
export const FACE_RESTORATIONS = ['applied', 'no_face', 'unavailable'] as const;

export type FaceRestoration = (typeof FACE_RESTORATIONS)[number];
