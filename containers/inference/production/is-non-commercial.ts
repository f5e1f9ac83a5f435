/** Licences that forbid commercial use, by the ways in which they are written. */
const NON_COMMERCIAL = [/non-?commercial/i, /(^|[\s-])NC([\s-]|$)/, /research[\s-]only/i, /S-Lab/i, /academic/i];

/** Whether a model may not be used commercially: it says so itself, or its licence does, whatever else is claimed. */
export function isNonCommercial({ licence, commercialUse }: { licence: string; commercialUse: boolean }): boolean {
  return !commercialUse || NON_COMMERCIAL.some((pattern) => pattern.test(licence));
}
