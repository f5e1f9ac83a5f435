/**
 * Data fields, whose value may hold any byte, by the tag of the field before each, which says how many bytes they are (FIX 4.4 volume 1,
 * data types).
 */
export const LENGTH_TAG_OF: ReadonlyMap<number, number> = new Map([
  [89, 93],
  [91, 90],
  [96, 95],
  [213, 212],
  [349, 348],
  [351, 350],
  [353, 352],
  [355, 354],
  [357, 356],
  [359, 358],
  [361, 360],
  [363, 362],
  [365, 364],
  [446, 445],
  [619, 618],
  [622, 621],
]);
