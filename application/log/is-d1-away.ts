/**
 * Whether an exception says that D1 did not answer, which is nobody's bug: it is out of reach, overloaded or being reset. What D1 says of
 * a statement carries SQLite's code, or is about the values that it was given.
 */
export function isD1Away(error: unknown): boolean {
  for (let told = error; told instanceof Error; told = told.cause) {
    if (/SQLITE_|D1_(TYPE|COLUMN|EXEC|DUMP)/.test(told.message)) return false;
    // Drizzle's own message quotes the statement; its cause is what D1 said.
    if (!told.message.startsWith('Failed query:') && /\bD1(_ERROR)?\b/.test(told.message)) return true;
  }
  return false;
}
