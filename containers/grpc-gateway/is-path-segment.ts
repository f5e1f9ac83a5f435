/** Whether a text can stand for itself in a path. Nothing has a name that is empty, and `.` and `..` would lead to another path. */
export function isPathSegment(text: string): boolean {
  return !['', '.', '..'].includes(text);
}
